//! What Apple's answers mean.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use time::OffsetDateTime;

use crate::outcome::{self, Outcome};

/// An answer, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) outcome: Outcome,
    pub(super) advice: Advice,
}

/// What an answer says about our token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// Nothing.
    Keep,
    /// It is too old: send again with a newer one, if there may be one.
    Refresh,
    /// There were too many: no new one for a while.
    Hold,
}

impl From<Outcome> for Reading {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, advice: Advice::Keep }
    }
}

#[derive(Default, Deserialize)]
struct Body {
    #[serde(default)]
    reason: Value,
    #[serde(default)]
    timestamp: Value,
}

/// Reads an answer. The body may be anything; what it does not say, the status does.
pub(super) fn read(status: u16, retry_after: Option<Duration>, body: &[u8]) -> Reading {
    let body: Body = serde_json::from_slice(body).unwrap_or_default();
    let named = body.reason.as_str().and_then(outcome::reason);
    let reason = named.clone().unwrap_or_else(|| format!("status {status}").into());
    let advice = match (status, named.as_deref()) {
        (403, Some("ExpiredProviderToken")) => Advice::Refresh,
        (429, Some("TooManyProviderTokenUpdates")) => Advice::Hold,
        _ => Advice::Keep,
    };
    let outcome = match (status, named.as_deref()) {
        (200..=299, _) => Outcome::Delivered,
        (410, _) => Outcome::Unregistered { reason, dead_at: moment(&body.timestamp) },
        (400, Some("BadDeviceToken")) => Outcome::Unregistered { reason, dead_at: None },
        (400, Some("DeviceTokenNotForTopic" | "BadTopic" | "MissingTopic" | "TopicDisallowed")) | (401 | 403, _) => {
            Outcome::Misconfigured { reason }
        }
        (429, _) => Outcome::Throttled { reason, retry_after, whole_provider: advice == Advice::Hold },
        (400, Some("IdleTimeout")) | (500..=599, _) => Outcome::Unavailable { reason, retry_after },
        (400..=499, name) => Outcome::Rejected { reason, listed: is_listed(status, name) },
        // No redirect is followed: whoever answers so is not Apple.
        _ => Outcome::Misconfigured { reason },
    };
    Reading { outcome, advice }
}

/// Whether Apple documents the reason as the notification's own fault.
fn is_listed(status: u16, name: Option<&str>) -> bool {
    matches!(
        (status, name),
        (
            400,
            Some(
                "BadCollapseId"
                    | "BadExpirationDate"
                    | "BadMessageId"
                    | "BadPriority"
                    | "InvalidPushType"
                    | "DuplicateHeaders"
                    | "MissingDeviceToken"
                    | "PayloadEmpty",
            ),
        ) | (404, Some("BadPath"))
            | (405, Some("MethodNotAllowed"))
            | (413, _)
    )
}

/// The moment a token died: milliseconds since 1970, if the number can be one.
fn moment(timestamp: &Value) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(timestamp.as_i64()?) * 1_000_000).ok()
}

#[cfg(test)]
mod tests;

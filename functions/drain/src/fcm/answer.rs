//! What Google's answers mean.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::outcome::{self, Outcome, Reason};

/// FCM asks for a minute where it names no delay.
const THROTTLED: Duration = Duration::from_mins(1);
/// The first retry after a fault of FCM's.
const UNAVAILABLE: Duration = Duration::from_secs(10);
/// Together with the `FcmError` detail, and only in these words, it is about the token and not about the payload.
const INVALID_TOKEN: &str = "The registration token is not a valid FCM registration token";

/// An answer, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) outcome: Outcome,
    pub(super) advice: Advice,
    /// Google's name of the message.
    pub(super) id: Option<String>,
}

/// What an answer says about our access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// Nothing.
    Keep,
    /// It is refused: send again with a newer one.
    Refresh,
}

impl From<Outcome> for Reading {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, advice: Advice::Keep, id: None }
    }
}

#[derive(Default, Deserialize)]
struct Body {
    #[serde(default)]
    name: Value,
    #[serde(default)]
    error: Value,
}

/// Reads an answer. The body may be anything; what it does not say, the status does.
pub(super) fn read(status: u16, retry_after: Option<Duration>, body: &[u8]) -> Reading {
    let Body { name, error } = serde_json::from_slice(body).unwrap_or_default();
    let code = detail(&error, "FcmError").and_then(|detail| detail["errorCode"].as_str()).and_then(outcome::reason);
    let canonical = || error["status"].as_str().and_then(outcome::reason);
    let reason: Reason = code.clone().or_else(canonical).unwrap_or_else(|| format!("status {status}").into());
    let outcome = match (status, code.as_deref()) {
        (200..=299, _) => Outcome::Delivered,
        (404, Some("UNREGISTERED")) | (403, Some("SENDER_ID_MISMATCH")) => {
            Outcome::Unregistered { reason, dead_at: None }
        }
        (400, Some("INVALID_ARGUMENT")) if error["message"] == INVALID_TOKEN => {
            Outcome::Unregistered { reason: "INVALID_TOKEN".into(), dead_at: None }
        }
        (401 | 403 | 404, _) => Outcome::Misconfigured { reason },
        (429, _) => Outcome::Throttled {
            reason,
            retry_after: Some(retry_after.unwrap_or_default().max(THROTTLED)),
            whole_provider: !is_about_the_device(&error),
        },
        (408 | 500..=599, _) => {
            Outcome::Unavailable { reason, retry_after: Some(retry_after.unwrap_or_default().max(UNAVAILABLE)) }
        }
        (400..=499, _) => Outcome::Rejected { reason, listed: is_listed(status, code.as_deref(), &error) },
        // No redirect is followed: whoever answers so is not Google.
        _ => Outcome::Misconfigured { reason },
    };
    let advice = if status == 401 && code.is_none() { Advice::Refresh } else { Advice::Keep };
    Reading { id: id(&name).filter(|_| outcome == Outcome::Delivered), outcome, advice }
}

/// The detail of a type.
fn detail<'a>(error: &'a Value, name: &str) -> Option<&'a Value> {
    let of_type = |detail: &&Value| {
        let named = detail["@type"].as_str().and_then(|url| url.rsplit(['.', '/']).next());
        named == Some(name)
    };
    error["details"].as_array()?.iter().find(of_type)
}

/// Whether Google says that the notification itself is at fault. Else a burst of them is a fault of ours.
fn is_listed(status: u16, code: Option<&str>, error: &Value) -> bool {
    status == 413 || (status == 400 && (code == Some("INVALID_ARGUMENT") || detail(error, "BadRequest").is_some()))
}

/// A device's own quota, of which the others know nothing.
fn is_about_the_device(error: &Value) -> bool {
    let violations = detail(error, "QuotaFailure").and_then(|detail| detail["violations"].as_array());
    let names = |violation: &Value| {
        let text = |key: &str| violation[key].as_str().unwrap_or_default().to_ascii_lowercase();
        text("subject").starts_with("device") || text("description").contains("device message rate")
    };
    violations.is_some_and(|violations| violations.iter().any(names))
}

/// `projects/…/messages/…`: its last part, if it may be logged.
fn id(name: &Value) -> Option<String> {
    let id = name.as_str()?.rsplit('/').next()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'%' | b'-' | b'_' | b'.');
    ((1..=128).contains(&id.len()) && id.bytes().all(plain)).then(|| id.to_owned())
}

#[cfg(test)]
mod tests;

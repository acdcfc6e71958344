//! What a push service's answer means.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::outcome::{self, Outcome};

#[derive(Default, Deserialize)]
struct Body {
    #[serde(default)]
    reason: Value,
}

/// Reads an answer. `accepted`: the service has taken a push with this token before. Bodies differ from service to
/// service and decide nothing; Apple's name their reason.
pub(super) fn read(status: u16, retry_after: Option<Duration>, body: &[u8], accepted: bool) -> Outcome {
    let body: Body = serde_json::from_slice(body).unwrap_or_default();
    let named = body.reason.as_str().and_then(outcome::reason);
    let reason = named.unwrap_or_else(|| format!("status {status}").into());
    match status {
        200..=299 => Outcome::Delivered,
        404 | 410 => Outcome::Unregistered { reason, dead_at: None },
        // The second is Microsoft's.
        429 | 406 => Outcome::Throttled { reason, retry_after, whole_provider: false },
        408 | 500..=599 => Outcome::Unavailable { reason, retry_after },
        413 => Outcome::Rejected { reason, listed: true },
        // Our request or our key. Once the service has taken that key, it is this subscription that does not go with
        // it (one made with another key, or made up): the others must not be paused for it. A burst still pauses.
        400 | 401 | 403 if !accepted => Outcome::Misconfigured { reason },
        // No redirect is followed: an endpoint could lead anywhere by it.
        300..=499 => Outcome::Rejected { reason, listed: false },
        _ => Outcome::Misconfigured { reason },
    }
}

#[cfg(test)]
mod tests;

//! Answers only APNs gives.

use bytes::Bytes;
use serde_json::json;

use crate::provider::Reply;

impl Reply {
    /// APNs: 410 with the moment of the verdict, in milliseconds since 1970.
    pub fn gone(reason: &str, timestamp: i64) -> Self {
        let body = json!({"reason": reason, "timestamp": timestamp});
        Self::raw(410, body.to_string()).because(reason)
    }
}

/// Apple's body for a reason.
pub(super) fn body(reason: &str) -> Bytes {
    json!({"reason": reason}).to_string().into()
}

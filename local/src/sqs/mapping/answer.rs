//! What a function answered, and whether its message is done.

use bytes::Bytes;
use serde_json::Value;

/// How an invocation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The function returned this payload.
    Success(Bytes),
    /// It answered an error, ran out of time or died.
    Failed,
    /// No instance was free: the function never saw the event.
    Throttled,
}

/// Whether a payload under `ReportBatchItemFailures` leaves nothing of a batch of one message to be tried again.
///
/// As Lambda reads it: an empty payload, `null`, `{}`, and a list that is empty or `null` are success; whatever else
/// is there (the message's id, another id, an empty one, no JSON) fails the whole batch.
pub(super) fn is_complete(payload: &[u8]) -> bool {
    if payload.is_empty() {
        return true;
    }
    match serde_json::from_slice(payload) {
        Ok(Value::Null) => true,
        Ok(Value::Object(answer)) => match answer.get("batchItemFailures") {
            None | Some(Value::Null) => true,
            Some(Value::Array(failures)) => failures.is_empty(),
            Some(_) => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reported_completes_a_batch() {
        for payload in ["", "null", "{}", r#"{"batchItemFailures":[]}"#, r#"{"batchItemFailures":null}"#] {
            assert!(is_complete(payload.as_bytes()), "{payload}");
        }
    }

    #[test]
    fn anything_else_fails_it() {
        for payload in [
            "{",
            "[]",
            "1",
            r#""ok""#,
            r#"{"batchItemFailures":"x"}"#,
            r#"{"batchItemFailures":[{"itemIdentifier":"other"}]}"#,
            r#"{"batchItemFailures":[{"itemIdentifier":""}]}"#,
            r#"{"batchItemFailures":[{"wrongKey":"id"}]}"#,
        ] {
            assert!(!is_complete(payload.as_bytes()), "{payload}");
        }
    }
}

//! Reads an event: whatever it is, it is one wake.

use pushwake::function::Event;
use pushwake::function::deadline::time_left;
use pushwake::wake::{Wake, Why};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::drain::Invocation;

/// An SQS event, as far as a wake needs one. Every body stays opaque: one that is no string, or holds a lone
/// surrogate, must not fail the others.
#[derive(Deserialize)]
struct Messages<'a> {
    #[serde(borrow, rename = "Records")]
    records: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message {
    body: String,
}

/// Read on its own: whatever SQS says about a message, its body is what counts.
#[derive(Deserialize)]
struct Posted {
    attributes: Attributes,
}

#[derive(Deserialize)]
struct Attributes {
    /// Milliseconds since 1970, as text.
    #[serde(rename = "SentTimestamp")]
    sent: String,
}

/// The invocation that an event asks for.
pub fn read(event: &Event) -> Invocation {
    let (wake, malformed) = wake(event.payload.get());
    let remaining = time_left(&event.context);
    let receivable = receivable(event.payload.get());
    Invocation { wake, request_id: event.context.request_id.clone(), remaining, malformed, receivable }
}

/// When the first of the messages could be received, if all that is known of it can be read.
fn receivable(event: &str) -> Option<u64> {
    let Messages { records } = serde_json::from_str(event).ok()?;
    let of = |record: &RawValue| {
        let Posted { attributes } = serde_json::from_str(record.get()).ok()?;
        let sent: u64 = attributes.sent.parse().ok()?;
        let Message { body } = serde_json::from_str(record.get()).ok()?;
        sent.checked_add(u64::from(Wake::delay(&body)) * 1000)
    };
    records.into_iter().filter_map(of).min()
}

/// Several records are one wake, of the longest lineage among them; one that is not ours counts as malformed.
fn wake(event: &str) -> (Wake, u64) {
    let bodies: Vec<Option<Wake>> = match serde_json::from_str::<Messages<'_>>(event) {
        Ok(Messages { records }) if !records.is_empty() => records.into_iter().map(body).collect(),
        _ => vec![None],
    };
    let malformed = bodies.iter().filter(|wake| wake.is_none()).count();
    let wake = bodies.into_iter().flatten().max_by_key(|wake| wake.hop);
    (wake.unwrap_or(Wake::first(Why::Enqueue)), malformed as u64)
}

fn body(record: &RawValue) -> Option<Wake> {
    let message: Message = serde_json::from_str(record.get()).ok()?;
    Wake::read(&message.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(bodies: &[&str]) -> String {
        let records: Vec<_> = bodies.iter().map(|body| serde_json::json!({ "messageId": "m", "body": body })).collect();
        serde_json::json!({ "Records": records }).to_string()
    }

    #[test]
    fn a_wake_of_ours_is_read() {
        let posted = Wake { why: Why::Continue, hop: 7 };
        assert_eq!(wake(&event(&[&posted.body()])), (posted, 0));
    }

    #[test]
    fn c15_whatever_comes_is_one_plain_wake() {
        let plain = Wake::first(Why::Enqueue);
        let text = "x".repeat(256 * 1024);
        for odd in ["", "null", "{", "[]", "17", "\u{0}", &text, r#"{"v":1,"why":"retry"}"#] {
            assert_eq!(wake(&event(&[odd])), (plain, 1));
        }
        let other_service = r#"{"source":"aws.events","detail-type":"Scheduled Event","detail":{}}"#;
        for odd in ["null", "[]", "\"\"", "17", "{}", r#"{"Records":[]}"#, r#"{"Records":null}"#, other_service] {
            assert_eq!(wake(odd), (plain, 1), "{odd}");
        }
        for odd in [r#"{"Records":[{"body":7}]}"#, r#"{"Records":[{"body":"\ud800"}]}"#, r#"{"Records":[null]}"#] {
            assert_eq!(wake(odd), (plain, 1), "{odd}");
        }
    }

    #[test]
    fn a_wake_is_measured_from_the_moment_it_could_be_received() {
        let event = |sent: &serde_json::Value, body: &str| {
            serde_json::json!({"Records": [{"body": body, "attributes": {"SentTimestamp": sent}}]}).to_string()
        };
        let delayed = r#"{"v":1,"why":"retry","hop":1,"delay":30}"#;
        let sent = serde_json::json!("1545082649183");
        assert_eq!(receivable(&event(&sent, "any")), Some(1_545_082_649_183));
        assert_eq!(receivable(&event(&sent, delayed)), Some(1_545_082_679_183));
        for odd in [serde_json::json!("yesterday"), serde_json::json!("-1"), serde_json::json!(null), sent[0].clone()] {
            assert_eq!(receivable(&event(&odd, delayed)), None);
        }
        for odd in ["", "null", r#"{"Records":[{"body":"any"}]}"#, r#"{"Records":[{"body":"any","attributes":[]}]}"#] {
            assert_eq!(receivable(odd), None, "{odd}");
        }
        let of = |sent: &str| serde_json::json!({"body": "", "attributes": {"SentTimestamp": sent}});
        let both = serde_json::json!({"Records": [null, of("9"), of("7")]}).to_string();
        assert_eq!(receivable(&both), Some(7));
    }

    #[test]
    fn several_records_are_one_wake_of_the_longest_lineage() {
        let (one, other) = (Wake { why: Why::Retry, hop: 3 }, Wake { why: Why::Recruit, hop: 9 });
        assert_eq!(wake(&event(&[&one.body(), "null", &other.body()])), (other, 1));
    }
}

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

/// The invocation that an event asks for.
pub fn read(event: &Event) -> Invocation {
    let (wake, malformed) = wake(event.payload.get());
    let remaining = time_left(&event.context);
    Invocation { wake, request_id: event.context.request_id.clone(), remaining, malformed }
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
    fn several_records_are_one_wake_of_the_longest_lineage() {
        let (one, other) = (Wake { why: Why::Retry, hop: 3 }, Wake { why: Why::Recruit, hop: 9 });
        assert_eq!(wake(&event(&[&one.body(), "null", &other.body()])), (other, 1));
    }
}

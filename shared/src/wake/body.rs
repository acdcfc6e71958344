//! What a wake says about itself.

use serde::{Deserialize, Serialize};

/// Why a wake was posted: for the log only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Enqueue committed something new.
    Enqueue,
    /// A retry, a scheduled notification or the end of a pause falls due.
    Retry,
    /// A drain's budget ended with work left.
    Continue,
    /// A drain's window is full and more is due.
    Recruit,
    /// Schedule saw due work in the database.
    TopUp,
    /// A drain gave way to another revision's claim, or to locks.
    Yield,
}

/// One wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Why it was posted.
    pub why: Why,
    /// How many wakes of drains lie between it and the enqueue or schedule that began its lineage.
    pub hop: u32,
}

#[derive(Serialize, Deserialize)]
struct Body {
    v: u32,
    why: Why,
    hop: u32,
    /// Seconds that SQS holds it back: the time of its message says when it was posted, and this when it can come.
    #[serde(default, skip_serializing_if = "is_zero")]
    delay: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The version of the body this revision writes and reads.
const VERSION: u32 = 1;

impl Wake {
    /// The first wake of a lineage.
    pub fn first(why: Why) -> Self {
        Self { why, hop: 0 }
    }

    /// The wake that follows this one.
    #[must_use]
    pub fn next(self, why: Why) -> Self {
        Self { why, hop: self.hop.saturating_add(1) }
    }

    /// Reads a message's body; `None` for one that is not ours, which acts as a plain wake of hop 0.
    pub fn read(body: &str) -> Option<Self> {
        let Body { v, why, hop, .. } = serde_json::from_str(body).ok()?;
        (v == VERSION).then_some(Self { why, hop })
    }

    /// The seconds a message was held back, by its body; none says so if it is not ours.
    pub fn delay(body: &str) -> u32 {
        serde_json::from_str(body).map_or(0, |Body { delay, .. }| delay)
    }

    /// The message's body.
    pub fn body(self) -> String {
        self.delayed_body(0)
    }

    /// The body of a message that is held back for `delay` seconds.
    pub(super) fn delayed_body(self, delay: u32) -> String {
        let body = Body { v: VERSION, why: self.why, hop: self.hop, delay };
        serde_json::to_string(&body).expect("numbers and a word are JSON")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wake_reads_back_what_it_says() {
        for why in [Why::Enqueue, Why::Retry, Why::Continue, Why::Recruit, Why::TopUp, Why::Yield] {
            let wake = Wake::first(why).next(why);
            assert_eq!(Wake::read(&wake.body()), Some(wake));
        }
        assert_eq!(Wake::first(Why::TopUp).body(), r#"{"v":1,"why":"top_up","hop":0}"#);
    }

    #[test]
    fn a_wake_that_is_held_back_says_for_how_long() {
        let wake = Wake::first(Why::Retry);
        let body = wake.delayed_body(30);
        assert_eq!((Wake::read(&body), Wake::delay(&body)), (Some(wake), 30));
        assert_eq!([Wake::delay(&wake.body()), Wake::delay("null")], [0, 0]);
    }

    #[test]
    fn a_wake_of_a_later_minor_version_is_still_read() {
        let body = r#"{"v":1,"why":"continue","hop":7,"since":"2027-01-01T00:00:00Z"}"#;
        assert_eq!(Wake::read(body), Some(Wake { why: Why::Continue, hop: 7 }));
    }

    #[test]
    fn c15_any_other_body_is_malformed() {
        let long = "x".repeat(256 * 1024);
        let long_json = format!(r#"{{"v":1,"why":"retry","hop":0,"pad":"{long}""#);
        let deep = "[".repeat(100_000);
        let test_event = r#"{"Service":"Amazon S3","Event":"s3:TestEvent","Bucket":"b"}"#;
        let nested = r#"{"Records":[{"body":"{\"v\":1,\"why\":\"retry\",\"hop\":0}"}]}"#;
        for body in [
            "",
            " ",
            "null",
            "{",
            "}",
            "{}",
            "[]",
            "[1,2]",
            "0",
            "-1",
            "1e999",
            "true",
            "\"\"",
            "\"wake\"",
            "\u{0}",
            test_event,
            nested,
            &long,
            &long_json,
            &deep,
            r#"[{"v":1,"why":"retry","hop":0}]"#,
            r#"{"v":2,"why":"retry","hop":0}"#,
            r#"{"v":"1","why":"retry","hop":0}"#,
            r#"{"v":1,"why":"because","hop":0}"#,
            r#"{"v":1,"why":null,"hop":0}"#,
            r#"{"v":1,"why":"retry"}"#,
            r#"{"v":1,"why":"retry","hop":-1}"#,
            r#"{"v":1,"why":"retry","hop":0.5}"#,
            r#"{"v":1,"why":"retry","hop":99999999999}"#,
            r#"{"v":1,"why":"\ud800","hop":0}"#,
            r#"{"v":1,"why":"retry","hop":0} trailing"#,
        ] {
            assert_eq!(Wake::read(body), None, "{}", &body[..body.len().min(60)]);
        }
    }
}

//! The log lines that the page reads, as the functions write them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;
use time::serde::rfc3339;

use crate::runtime_api::{Line, Stream};

/// One attempt of a drain, or what it did with a head instead of sending it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Attempt {
    #[serde(rename = "timestamp", with = "rfc3339")]
    pub(super) at: OffsetDateTime,
    pub(super) app: String,
    /// The device's hash.
    pub(super) device: String,
    pub(super) event: Option<String>,
    pub(super) outcome: Option<String>,
    pub(super) reason: Option<String>,
    /// Which one of its notification it is.
    #[serde(rename = "attempt")]
    pub(super) number: i32,
    pub(super) age_ms: Option<u64>,
    pub(super) send_ms: Option<u64>,
}

/// A drain that has ended.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Drained {
    #[serde(rename = "timestamp", with = "rfc3339")]
    pub(super) at: OffsetDateTime,
    pub(super) ended_by: String,
    pub(super) hop: u64,
    pub(super) claims: u64,
    pub(super) claimed: u64,
    pub(super) delivered: u64,
    pub(super) retried: u64,
    pub(super) in_flight_peak: u64,
}

/// A call of enqueue.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Call {
    #[serde(rename = "timestamp", with = "rfc3339")]
    pub(super) at: OffsetDateTime,
    pub(super) source: Option<String>,
    pub(super) event: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) devices: u64,
    #[serde(default)]
    pub(super) queued: u64,
}

impl Attempt {
    pub(super) fn is_delivered(&self) -> bool {
        self.outcome.as_deref() == Some("delivered")
    }
}

/// Reads a line with this message.
pub(super) fn read<T: DeserializeOwned>(line: &Line, message: &str) -> Option<T> {
    // Most lines are told apart by their text, which is quicker than to read them.
    let found = line.stream == Stream::Out && line.text.contains(&format!(r#""message":"{message}""#));
    found.then(|| serde_json::from_str(&line.text).ok()).flatten()
}

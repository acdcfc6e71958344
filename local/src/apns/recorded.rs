//! One request, as the ledger keeps it.

use std::time::Instant;

use bytes::Bytes;

/// What a request asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The device token of the path.
    pub device: String,
    /// `apns-id`.
    pub apns_id: Option<String>,
    /// `apns-expiration`, epoch seconds.
    pub expiration: Option<String>,
    /// `apns-priority`.
    pub priority: Option<String>,
    /// `apns-topic`.
    pub topic: Option<String>,
    /// `apns-push-type`.
    pub push_type: Option<String>,
    /// `apns-collapse-id`.
    pub collapse_id: Option<String>,
}

/// One request that arrived with its whole body.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it asked for.
    pub asked: Asked,
    /// Its body.
    pub body: Bytes,
    /// The sequence number in its body.
    pub n: Option<u64>,
    /// The connection it came on, from 1.
    pub connection: u64,
    /// When its body was complete: the flight begins.
    pub start: Instant,
    /// When and how the flight ended, if it has.
    pub end: Option<(Instant, End)>,
}

/// How a flight ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With an answer.
    Answered {
        /// The status.
        status: u16,
        /// The reason, of a refusal.
        reason: Option<String>,
    },
    /// The stream was reset, by either side.
    Reset,
    /// The connection was lost, or closed without an answer.
    Lost,
}

impl Recorded {
    /// The status it was answered with.
    pub fn status(&self) -> Option<u16> {
        match &self.end {
            Some((_, End::Answered { status, .. })) => Some(*status),
            _ => None,
        }
    }
}

//! One request, as the ledger keeps it.

use std::time::Instant;

use bytes::Bytes;

/// One request that arrived with its whole body.
#[derive(Clone, Debug)]
pub struct Recorded<A> {
    /// What it asked for.
    pub asked: A,
    /// Its body.
    pub body: Bytes,
    /// Its sequence number among its device's.
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
    /// The stream was refused: the request was not processed.
    Refused,
    /// The stream was reset, by either side.
    Reset,
    /// The connection was lost, or closed without an answer.
    Lost,
}

impl<A> Recorded<A> {
    /// The status it was answered with.
    pub fn status(&self) -> Option<u16> {
        match &self.end {
            Some((_, End::Answered { status, .. })) => Some(*status),
            _ => None,
        }
    }
}

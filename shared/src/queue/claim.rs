//! Claim: lease the heads of free lanes.

use time::OffsetDateTime;
use uuid::Uuid;

use super::connection::{Queue, QueueError};
use crate::contract::{AppId, DeviceId, EventId, Source};

/// What a drain asks of a claim.
pub struct Want<'a> {
    /// The apps whose keys the drain holds. Paused ones are left out by the claim itself.
    pub apps: &'a [AppId],
    /// Lanes at most: the free places of the window.
    pub n: usize,
    /// Counts this drain's claims: rotates the apps and gives old rows their turn when `n` is small.
    pub turn: u32,
}

/// What a claim found.
#[derive(Debug)]
pub enum Claim {
    /// At least one lane is leased.
    Claimed(Claimed),
    /// Nothing is due.
    Empty,
    /// Another revision holds the claim key.
    Yielded,
    /// Lanes are due, but all of them are locked.
    Contended,
}

/// The leases of one claim.
#[derive(Debug)]
pub struct Claimed {
    /// The leased heads, in no particular order.
    pub heads: Vec<Head>,
    /// As many as were asked for: more may be waiting.
    pub full: bool,
    /// The database's clock at the claim.
    pub now: OffsetDateTime,
}

/// The right to send one head: what a finish and a renewal prove.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The lane's app.
    pub app: AppId,
    /// The lane's device.
    pub device: DeviceId,
    /// The head's seq.
    pub head: i64,
    /// New for every claim.
    pub token: Uuid,
}

/// One leased head.
#[derive(Debug)]
pub struct Head {
    /// The lease.
    pub lease: Lease,
    /// Attempts at this head, this one included.
    pub attempts: i32,
    /// Attempts at this head without an answer so far, this one included.
    pub unanswered: i32,
    /// What the lane's head turned out to be.
    pub found: Found,
}

/// What the lane's head turned out to be.
#[derive(Debug)]
pub enum Found {
    /// To be sent.
    Live(Notification),
    /// Past its expiry: to be finished with [`Step::Expire`](super::Step::Expire).
    Expired(Notification),
    /// Dismissed: to be finished with [`Step::Discard`](super::Step::Discard).
    Dismissed(Notification),
    /// In a format this revision can't read: to be released for a newer drain.
    Newer(i16),
    /// The row is gone (deleted by hand): to be discarded, so that the lane moves on.
    Missing,
}

/// One stored notification.
#[derive(Clone, Debug)]
pub struct Notification {
    /// The product service that queued it.
    pub source: Source,
    /// Its event.
    pub event: EventId,
    /// `alert`, `background` or `dismiss`.
    pub kind: String,
    /// The stored payload: JSON in the format of [`PAYLOAD_FORMAT`](crate::limits::PAYLOAD_FORMAT).
    pub payload: String,
    /// The stored target: JSON, a token or a Web Push subscription.
    pub target: String,
    /// When it was due.
    pub send_at: OffsetDateTime,
    /// When it dies.
    pub expires_at: OffsetDateTime,
}

impl Queue {
    /// Leases up to `want.n` due lanes.
    pub async fn claim(&self, want: &Want<'_>) -> Result<Claim, QueueError> {
        let _ = want;
        todo!()
    }
}

//! A leased head: the lease, and what the lane's head turned out to be.

use sqlx::Row;
use sqlx::postgres::PgRow;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::contract::{AppId, DeviceId, EventId, Source};
use crate::limits::PAYLOAD_FORMAT;

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
    /// The stored payload: JSON in the format of [`PAYLOAD_FORMAT`].
    pub payload: String,
    /// The stored target: JSON, a token or a Web Push subscription.
    pub target: String,
    /// When it was due.
    pub send_at: OffsetDateTime,
    /// When it dies.
    pub expires_at: OffsetDateTime,
}

impl Found {
    pub(super) fn read(row: &PgRow) -> sqlx::Result<Self> {
        let format: i16 = row.try_get("format")?;
        if format > PAYLOAD_FORMAT {
            return Ok(Self::Newer(format));
        }
        let notification = Notification {
            source: row.try_get::<String, _>("source")?.into(),
            event: row.try_get::<String, _>("event")?.into(),
            kind: row.try_get("kind")?,
            payload: row.try_get("payload")?,
            target: row.try_get("target")?,
            send_at: row.try_get("send_at")?,
            expires_at: row.try_get("expires_at")?,
        };
        Ok(if row.try_get("dismissed")? {
            Self::Dismissed(notification)
        } else if row.try_get("expired")? {
            Self::Expired(notification)
        } else {
            Self::Live(notification)
        })
    }
}

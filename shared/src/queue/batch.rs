//! What enqueue is asked, and what it answers.

use std::time::Duration;

use time::OffsetDateTime;

use crate::contract::{AppId, DeviceId, EventId, Kind, Source};

/// One validated call.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Scope of `event`.
    pub source: Source,
    /// The event; of a dismissal the event that is dismissed.
    pub event: EventId,
    /// What the event asks for.
    pub kind: Kind,
    /// The stored payload: JSON, without NUL.
    pub payload: String,
    /// Fingerprint of the content: the same event with another one is a conflict.
    pub fingerprint: Vec<u8>,
    /// Not before.
    pub send_at: Option<OffsetDateTime>,
    /// Not after.
    pub expires_at: Option<OffsetDateTime>,
    /// Without `expires_at`, its life from the moment it is due.
    pub life: Duration,
    /// Valid devices, each (app, device) once.
    pub devices: Vec<BatchDevice>,
}

/// One validated device.
#[derive(Clone, Debug)]
pub struct BatchDevice {
    /// A configured app.
    pub app: AppId,
    /// The device.
    pub device: DeviceId,
    /// The stored target: JSON, without NUL.
    pub target: String,
    /// SHA-256 of the token or endpoint.
    pub token_hash: Vec<u8>,
    /// When the product registered the token.
    pub registered_at: Option<OffsetDateTime>,
}

/// The answer for one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Durable.
    Queued,
    /// The same event was queued before.
    Duplicate,
    /// The same event was queued before with other content.
    Conflict,
    /// The provider called this token dead.
    Unregistered,
    /// The device has too much pending.
    RateLimited,
    /// Its expiry has passed.
    Expired,
    /// `send_at` lies further ahead than [`SEND_AHEAD`](crate::limits::SEND_AHEAD).
    TooFarAhead,
    /// `expires_at` asks for more than [`LONGEST_LIFE`](crate::limits::LONGEST_LIFE).
    TooLongLife,
    /// The event was dismissed (the answer of a dismissal, too).
    Dismissed,
}

/// When a wake is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeAt {
    /// Something is due.
    Now,
    /// The earliest new head is due then.
    After(Duration),
    /// Every row went behind an existing head.
    NotNeeded,
}

/// What enqueue did.
#[derive(Debug)]
pub struct Enqueued {
    /// One answer per device, in order.
    pub answers: Vec<Answer>,
    /// When a wake is wanted, after the commit.
    pub wake: WakeAt,
}

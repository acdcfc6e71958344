//! What an action answers.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::serde::rfc3339;

use crate::contract::{AppId, DeviceId, EventId, Source};

/// Where one event stands with each of its devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventStory {
    /// [`VERSION`](super::VERSION).
    pub v: u32,
    /// The database's clock.
    #[serde(with = "rfc3339")]
    pub time: OffsetDateTime,
    /// The event.
    pub event: EventId,
    /// In the order of source, app and device.
    pub devices: Vec<Standing>,
    /// The pauses of their apps.
    pub pauses: Vec<Pause>,
    /// There are more devices than an answer shows.
    pub cut: bool,
}

/// What is known of one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceStory {
    /// [`VERSION`](super::VERSION).
    pub v: u32,
    /// The database's clock.
    #[serde(with = "rfc3339")]
    pub time: OffsetDateTime,
    /// The device.
    pub device: DeviceId,
    /// Its lanes, of which each app has at most one.
    pub lanes: Vec<Lane>,
    /// Its events of the last 24 h and whatever is still queued, the newest first.
    pub events: Vec<Standing>,
    /// Its tokens that a provider called dead, the newest first.
    pub dead_tokens: Vec<DeadVerdict>,
    /// The pauses of its apps.
    pub pauses: Vec<Pause>,
    /// There is more than an answer shows.
    pub cut: bool,
}

/// Where one event stands with one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The event's source.
    pub source: Source,
    /// The event.
    pub event: EventId,
    /// The device's app.
    pub app: AppId,
    /// The device.
    pub device: DeviceId,
    /// Where it stands.
    pub state: State,
    /// What is queued, and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
    /// Until then the same event, sent again, answers `duplicate`.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub duplicate_until: Option<OffsetDateTime>,
    /// When it was dismissed.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub dismissed_at: Option<OffsetDateTime>,
    /// The newest verdict against a token of the device, whichever event met it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_token: Option<DeadVerdict>,
}

/// Where an event stands with a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A drain has it: it may be with its provider.
    InFlight,
    /// It waits for its turn, its time or its retry.
    Queued,
    /// It is over: delivered, or given up. The outcome stands in the log.
    Finished,
    /// It was taken back.
    Dismissed,
    /// A state of a newer revision.
    #[serde(other)]
    Other,
}

/// A queued notification and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// `alert`, `background`, or `dismiss`: the silent push of a dismissal.
    pub kind: String,
    /// When it is due by itself.
    #[serde(with = "rfc3339")]
    pub send_at: OffsetDateTime,
    /// When it dies.
    #[serde(with = "rfc3339")]
    pub expires_at: OffsetDateTime,
    /// How many stand before it: 0 is the head. Counted up to [`DEVICE_PENDING`](crate::limits::DEVICE_PENDING).
    pub behind: u32,
    /// How its lane stands.
    #[serde(flatten)]
    pub lane: WhereInLane,
}

/// How a lane stands. All of it is about the lane's head, for which whatever stands behind it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhereInLane {
    /// When the head may next be tried.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub due_at: Option<OffsetDateTime>,
    /// Attempts at the head so far.
    pub attempts: u32,
    /// Those of them without an answer.
    pub unanswered: u32,
    /// A drain has the head until then, or until it renews.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub leased_until: Option<OffsetDateTime>,
    /// The provider asked for rest: nothing is sent to the device before then.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub rest_until: Option<OffsetDateTime>,
}

/// One device's queue in one app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// The app.
    pub app: AppId,
    /// Notifications in it, counted up to [`DEVICE_PENDING`](crate::limits::DEVICE_PENDING).
    pub pending: u32,
    /// How it stands.
    #[serde(flatten)]
    pub place: WhereInLane,
}

/// A provider called a token of the device dead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadVerdict {
    /// The app.
    pub app: AppId,
    /// The provider's reason.
    pub reason: String,
    /// Since when it is dead.
    #[serde(with = "rfc3339")]
    pub time: OffsetDateTime,
    /// The source of `event`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The event whose send met the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
}

/// Nothing is sent for an app, but for one notification from time to time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The app.
    pub app: AppId,
    /// The provider's reason.
    pub reason: String,
    /// When it began, or last grew.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub since: Option<OffsetDateTime>,
    /// When one notification is tried; in the past, its answer is waited for.
    #[serde(with = "rfc3339")]
    pub until: OffsetDateTime,
}

/// What a forget did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// [`VERSION`](super::VERSION).
    pub v: u32,
    /// The device's app.
    pub app: AppId,
    /// The device.
    pub device: DeviceId,
    /// What was removed.
    pub removed: Removed,
    /// Whether nothing is left. If something is, forget again, and if `in_flight` is there, after it.
    pub complete: bool,
    /// A drain has the device's head, and may renew its lease, which ends then.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<OffsetDateTime>,
}

/// Rows that were removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Notifications that were queued.
    pub notifications: u64,
    /// Receipts: the device's events are no duplicates any more.
    pub receipts: u64,
    /// Dismissals.
    pub dismissals: u64,
    /// Verdicts against its tokens.
    pub dead_tokens: u64,
}

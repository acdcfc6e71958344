//! The response: one result per device, in the order of the request.

use serde::{Deserialize, Serialize};

use super::{AppId, DeviceId};
#[cfg(feature = "schema")]
use crate::schema;

/// What became of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Response {
    /// The version of the contract.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub v: u32,
    /// One result per device, in the order of the request.
    pub results: Vec<DeviceResult>,
    /// Whether a drain was woken. Nothing for a caller to act on: what is `queued` is sent whatever it says.
    pub wake: WakeStatus,
}

/// What became of one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceResult {
    /// The device's id; `null` where none could be read.
    pub device: Option<DeviceId>,
    /// The device's app; `null` where none could be read.
    pub app: Option<AppId>,
    /// What became of it.
    pub status: Status,
    /// The path of the field that is at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub field: Option<String>,
    /// What is wrong with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub reason: Option<String>,
}

/// What became of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = schema::rule::open))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Durable: it is handed to its provider, or given up for a reason that is counted.
    Queued,
    /// The same event was queued for it before.
    Duplicate,
    /// The same event was queued for it before, with other content: nothing was changed.
    Conflict,
    /// Its provider called the token dead: register it again.
    Unregistered,
    /// Too much is pending for it, or the source's quota is spent: try again later.
    RateLimited,
    /// `expires_at` has passed.
    Expired,
    /// The event was dismissed; of a dismissal, that it is.
    Dismissed,
    /// `field` can't be accepted for `reason`: correct it and call again.
    Invalid,
    /// A status of a newer revision.
    #[serde(other)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

/// Whether a drain was woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = schema::rule::open))]
#[serde(rename_all = "snake_case")]
pub enum WakeStatus {
    /// Yes.
    Posted,
    /// The wake queue did not take it; schedule finds what is queued within a minute.
    Failed,
    /// Nothing new is due before what a drain looks at anyway.
    NotNeeded,
    /// A status of a newer revision.
    #[serde(other)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

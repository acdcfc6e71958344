//! What a notification says, and how.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[cfg(feature = "schema")]
use crate::schema::{pattern, value};

/// What an event asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A visible notification.
    #[default]
    Alert,
    /// A silent one: it wakes the app and shows nothing.
    Background,
    /// Takes an earlier event of the same source back: what is still queued of it is never sent, and a silent push
    /// tells the app which event it was.
    Dismiss,
}

impl Kind {
    /// As stored and as in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alert => "alert",
            Self::Background => "background",
            Self::Dismiss => "dismiss",
        }
    }
}

/// How urgent a notification is. Without one, an alert is `high` and a silent push `normal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// At once. Not for silent pushes: the providers refuse it.
    High,
    /// When the device's power allows.
    Normal,
    /// Without waking the device.
    Low,
}

/// What a notification says, the same for every device of a call.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Notification {
    /// The first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = pattern::NO_NUL)))]
    pub title: Option<String>,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = pattern::NO_NUL)))]
    pub body: Option<String>,
    /// The app's own data. The keys `aps` and `pushwake` are reserved. To an Android device every value is a string,
    /// and `from`, `message_type` and what begins with `gcm` or `google` are reserved, too.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "value::data"))]
    pub data: Map<String, Value>,
    /// The name of a sound, or `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = pattern::NO_NUL)))]
    pub sound: Option<String>,
    /// The number on the app's icon; 0 is sent, and takes it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("maximum" = i32::MAX)))]
    pub badge: Option<u32>,
    /// A later notification with the same one replaces an earlier one on the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = pattern::NO_NUL)))]
    pub collapse_id: Option<String>,
    /// How urgent it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Notifications of one thread are shown together.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = pattern::NO_NUL)))]
    pub thread: Option<String>,
    /// An `https` address of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = pattern::HTTPS)))]
    pub image: Option<String>,
    /// What only one platform understands.
    #[serde(skip_serializing_if = "Raw::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Raw>"))]
    pub raw: Raw,
}

impl Notification {
    /// What only something visible has. Apple refuses or drops a silent push that carries one of them.
    pub const VISIBLE: &[&str] = &["title", "body", "sound", "badge", "thread", "image"];
    /// Keys of `data` that would meet the provider's own, or Pushwake's.
    pub const RESERVED: &[&str] = &["aps", "pushwake"];
}

/// Shows nothing of it.
impl fmt::Debug for Notification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notification").finish_non_exhaustive()
    }
}

/// A JSON merge patch (RFC 7396) per platform, applied to the body Pushwake builds: what it names replaces what is
/// there, member by member, and `null` takes a member away.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Raw {
    /// Applied to the whole APNs payload; `aps` is one of its members.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "value::patch"))]
    pub apns: Map<String, Value>,
    /// Applied to FCM's `message`. Where it goes and how long it lives are not for it to say.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "value::patch"))]
    pub fcm: Map<String, Value>,
    /// Applied to the whole Web Push plaintext.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "value::patch"))]
    pub webpush: Map<String, Value>,
}

impl Raw {
    /// Nothing is overridden.
    pub fn is_empty(&self) -> bool {
        self.apns.is_empty() && self.fcm.is_empty() && self.webpush.is_empty()
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw").finish_non_exhaustive()
    }
}

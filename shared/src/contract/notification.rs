//! What a notification says, and how.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an event asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// At once. Not for silent pushes: the providers refuse it.
    High,
    /// When the device's power allows.
    Normal,
    /// Without waking the device.
    Low,
}

/// What a notification says, the same for every device of a call. Its `Debug` shows nothing of it.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notification {
    /// The first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The app's own data. The keys `aps` and `pushwake` are reserved. To an Android device every value is a string,
    /// and `from`, `message_type` and what begins with `gcm` or `google` are reserved, too.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub data: Map<String, Value>,
    /// The name of a sound, or `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<String>,
    /// The number on the app's icon; 0 is sent, and takes it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub badge: Option<u32>,
    /// A later notification with the same one replaces an earlier one on the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collapse_id: Option<String>,
    /// How urgent it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Notifications of one thread are shown together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// An `https` address of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// What only one platform understands.
    #[serde(skip_serializing_if = "Raw::is_empty")]
    pub raw: Raw,
}

impl fmt::Debug for Notification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notification").finish_non_exhaustive()
    }
}

/// A JSON merge patch (RFC 7396) per platform, applied to the body Pushwake builds: what it names replaces what is
/// there, member by member, and `null` takes a member away.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Raw {
    /// Applied to the whole APNs payload; `aps` is one of its members.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub apns: Map<String, Value>,
    /// Applied to FCM's `message`. Where it goes and how long it lives are not for it to say.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub fcm: Map<String, Value>,
    /// Applied to the whole Web Push plaintext.
    #[serde(skip_serializing_if = "Map::is_empty")]
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

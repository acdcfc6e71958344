//! What the queue stores of a notification, and of a device.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{EventId, Kind, Notification};

/// The stored payload: all that a provider's body is built from, the same for every device of a call.
///
/// This is format 1 ([`PAYLOAD_FORMAT`](crate::limits::PAYLOAD_FORMAT)). Whatever a drain of this revision could
/// not honour needs the next number, since unknown members are passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Payload {
    /// What the event asks for.
    pub kind: Kind,
    /// The event; of a dismissal the one that is dismissed.
    pub event: EventId,
    /// What to say.
    #[serde(default)]
    pub notification: Notification,
}

/// Where a notification goes: the stored target. Its `Debug` shows no token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "platform", rename_all = "lowercase")]
pub enum Target {
    /// An APNs device.
    Apns {
        /// Lower-case hex, of even length.
        token: String,
    },
    /// An Android device.
    Fcm {
        /// Its registration token.
        token: String,
    },
    /// A browser's subscription.
    WebPush {
        /// Its endpoint.
        endpoint: String,
        /// Its public key, in base64url without padding.
        p256dh: String,
        /// Its authentication secret, in base64url without padding.
        auth: String,
    },
}

/// A stored payload or target that can't be read: poison. It says nothing of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored {0} can't be read; the row was not written by enqueue")]
pub struct Unreadable(&'static str);

impl Payload {
    /// As stored.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and maps with string keys always serialise")
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    pub fn from_json(json: &str) -> Result<Self, Unreadable> {
        serde_json::from_str(json).map_err(|_| Unreadable("payload"))
    }
}

impl Target {
    /// As stored.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings always serialise")
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    pub fn from_json(json: &str) -> Result<Self, Unreadable> {
        serde_json::from_str(json).map_err(|_| Unreadable("target"))
    }

    /// SHA-256 of the token, or of the endpoint: how a dead one is remembered.
    pub fn hash(&self) -> Vec<u8> {
        match self {
            Self::Apns { token } | Self::Fcm { token } => Sha256::digest(token).to_vec(),
            Self::WebPush { endpoint, .. } => Sha256::digest(endpoint).to_vec(),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apns { .. } => f.write_str("Apns(..)"),
            Self::Fcm { .. } => f.write_str("Fcm(..)"),
            Self::WebPush { .. } => f.write_str("WebPush(..)"),
        }
    }
}

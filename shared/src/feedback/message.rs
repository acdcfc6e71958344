//! One message of the feedback queue.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::serde::rfc3339;

use crate::contract::{AppId, DeviceId, EventId, Source};
#[cfg(feature = "schema")]
use crate::schema;

/// The version of the messages this revision writes.
pub const VERSION: u32 = 1;

/// One message: a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = schema::rule::message))]
pub struct Message {
    /// The version of the messages.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub v: u32,
    /// What it says; its `kind` is a member beside `v`.
    #[serde(flatten)]
    pub feedback: Feedback,
}

/// What a message says. Times are those of the database, or of the provider where it names one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Feedback {
    /// The provider called a token dead. Nothing is sent to it any more, unless it was registered after `time`.
    Unregistered {
        /// The app.
        app: AppId,
        /// The device the token was registered for.
        device: DeviceId,
        /// SHA-256 of the token in lower-case hex, which tells it from a token that the device has got since: of an
        /// APNs token as lower-case hex, of any other as it is, of a Web Push subscription its endpoint's.
        #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
        token_hash: String,
        /// The provider's reason.
        reason: String,
        /// Since when it is dead.
        #[serde(with = "rfc3339")]
        #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
        time: OffsetDateTime,
        /// The source of `event`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(with = "Source"))]
        source: Option<Source>,
        /// The event whose send met the verdict; absent where that is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(with = "EventId"))]
        event: Option<EventId>,
    },
    /// Nothing is sent for an app, since its provider fails as a whole or refuses its configuration. What is queued
    /// stays queued for as long as it lives.
    Paused {
        /// The app.
        app: AppId,
        /// The provider's reason.
        reason: String,
        /// When the pause began, or grew.
        #[serde(with = "rfc3339")]
        #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
        time: OffsetDateTime,
        /// When one notification is tried again; not before.
        #[serde(with = "rfc3339")]
        #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
        until: OffsetDateTime,
    },
    /// The pause of an app is over: its provider answered.
    Resumed {
        /// The app.
        app: AppId,
        /// The reason of the pause.
        reason: String,
        /// When it ended.
        #[serde(with = "rfc3339")]
        #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
        time: OffsetDateTime,
    },
    /// What a newer revision says.
    #[serde(other)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

impl Message {
    /// A message of this revision.
    pub fn new(feedback: Feedback) -> Self {
        Self { v: VERSION, feedback }
    }

    /// Reads a message's body.
    pub fn from_json(body: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(body)
    }

    /// The message's body. It holds only characters that SQS takes, whatever the ids hold: of those an id may have,
    /// SQS refuses two noncharacters.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("strings, numbers and times of this millennium are JSON");
        json.replace('\u{FFFE}', r"\ufffe").replace('\u{FFFF}', r"\uffff")
    }
}

#[cfg(test)]
mod tests;

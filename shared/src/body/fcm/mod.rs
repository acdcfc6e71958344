//! The FCM message.
//!
//! An alert: `{"message":{"notification":{"title":…,"body":…,"image":…},"data":{…},"android":{"priority":"HIGH",
//! "ttl":"300s","collapse_key":…,"notification":{"sound":…,"tag":…,"notification_count":…}},"token":…}}`. A later one
//! of the same collapse id replaces an earlier one that is stored (`collapse_key`) and one that is shown (`tag`).
//!
//! A silent push has `data` alone, and normal priority. Every value of `data` is a string, so what the app's code may
//! need from us is JSON in one: `pushwake` holds `event` (or `dismiss`, the event a dismissal takes back) and
//! `thread`, for which FCM has no place.
//!
//! # Size
//!
//! Google counts the keys and values of a message and says no more about it. What is measured here is the final JSON
//! without the token, which is never part of what reaches a device, and with the longest `ttl`: a little more than
//! Google counts, so that what enqueue took is never refused for its size.

mod data;
mod message;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{BodyError, patch};
use crate::contract::{Kind, Payload};
use crate::limits::{FCM_BODY, FCM_TTL};

/// A message that lacks only its token and its `ttl`. Its `Debug` is left out: it would show content.
#[derive(Clone, PartialEq)]
pub struct Built {
    message: Map<String, Value>,
}

/// Where a message goes. An override could send it to somebody else.
const TARGETS: &[&str] = &["token", "topic", "condition"];

/// Builds the message.
pub fn build(payload: &Payload) -> Result<Built, BodyError> {
    let notification = &payload.notification;
    let mut message = message::of(payload)?;
    patch::apply(&mut message, &notification.raw.fcm);
    if TARGETS.iter().any(|target| message.contains_key(*target)) {
        return Err(BodyError::Message("must not name a token, a topic or a condition"));
    }
    if !matches!(message.get("data"), None | Some(Value::Object(_))) {
        return Err(BodyError::Message("`data` must stay an object"));
    }
    if !matches!(message.get("android"), None | Some(Value::Object(_))) {
        return Err(BodyError::Message("`android` must stay an object"));
    }
    if !data::is_sendable(&message) {
        return Err(BodyError::Message("`data` must hold strings under keys that FCM does not reserve"));
    }
    if payload.kind == Kind::Alert && !message::shows(&message) {
        return Err(BodyError::Untitled);
    }
    let built = Built { message };
    let size = built.clone().body(None, FCM_TTL).len();
    if size > FCM_BODY { Err(BodyError::TooLarge { size, limit: FCM_BODY }) } else { Ok(built) }
}

impl Built {
    /// The body of the request for a device whose notification has `left` to live.
    pub fn body_for(self, token: &str, left: Duration) -> String {
        self.body(Some(token), left)
    }

    fn body(mut self, token: Option<&str>, left: Duration) -> String {
        let ttl = format!("{}s", left.min(FCM_TTL).as_secs());
        let android = self.message.entry("android").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(android) = android {
            android.insert("ttl".into(), ttl.into());
        }
        if let Some(token) = token {
            self.message.insert("token".into(), token.into());
        }
        json!({ "message": self.message }).to_string()
    }
}

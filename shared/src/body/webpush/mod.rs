//! The Web Push plaintext, and the headers that follow from a notification.
//!
//! A service worker reads `event.data.json()`:
//! `{"kind":"alert","event":…,"title":…,"body":…,"data":{…},"badge":…,"image":…,"sound":…,"thread":…,"tag":…}`, each
//! member only if the notification has it. `tag` is its collapse id. `kind` is `background` for a silent push, and
//! `dismiss` for one that takes `event` back.

#[cfg(test)]
mod tests;
mod topic;

use serde_json::{Map, Value};

use super::{BodyError, patch};
use crate::contract::{Kind, Notification, Payload, Priority};
use crate::limits::WEBPUSH_BODY;

/// What of a push follows from the notification alone. Its `Debug` is left out: it would show content.
#[derive(Clone, PartialEq, Eq)]
pub struct Built {
    /// The plaintext, at most [`WEBPUSH_BODY`] bytes.
    pub body: String,
    /// `Urgency`.
    pub urgency: &'static str,
    /// `Topic`: at most 32 characters of the URL-safe base64 alphabet.
    pub topic: Option<String>,
}

/// Builds the plaintext and header values.
pub fn build(payload: &Payload) -> Result<Built, BodyError> {
    let Payload { kind, event, notification } = payload;
    let mut body = content(notification);
    body.insert("kind".into(), kind.as_str().into());
    body.insert("event".into(), event.as_str().into());
    let alert = *kind == Kind::Alert;
    let shows = ["title", "body", "sound", "badge"].iter().any(|key| body.contains_key(*key));
    // What raw makes of it is for the product's own service worker to show.
    if alert && !shows && notification.raw.webpush.is_empty() {
        return Err(BodyError::Empty);
    }
    patch::apply(&mut body, &notification.raw.webpush);
    let body = Value::Object(body).to_string();
    if body.len() > WEBPUSH_BODY {
        return Err(BodyError::TooLarge { size: body.len(), limit: WEBPUSH_BODY });
    }
    Ok(Built {
        body,
        urgency: urgency(notification.priority, alert),
        topic: notification.collapse_id.as_deref().map(topic::of),
    })
}

fn content(notification: &Notification) -> Map<String, Value> {
    let mut body = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            body.insert(key.into(), value);
        }
    };
    let text = |text: &Option<String>| text.clone().map(Value::String);
    set("title", text(&notification.title));
    set("body", text(&notification.body));
    set("data", (!notification.data.is_empty()).then(|| notification.data.clone().into()));
    set("badge", notification.badge.map(Value::from));
    set("image", text(&notification.image));
    set("sound", text(&notification.sound));
    set("thread", text(&notification.thread));
    set("tag", text(&notification.collapse_id));
    body
}

fn urgency(asked: Option<Priority>, alert: bool) -> &'static str {
    match asked {
        None if alert => "high",
        Some(Priority::High) => "high",
        None | Some(Priority::Normal) => "normal",
        Some(Priority::Low) => "low",
    }
}

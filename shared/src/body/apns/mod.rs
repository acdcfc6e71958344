//! The APNs payload, and the headers that follow from a notification.
//!
//! An alert: `{"aps":{"alert":{"title":…,"body":…},…},"pushwake":{"event":…},…}` with the app's data beside `aps`.
//! `pushwake` holds what the app's code may need: `event` (or `dismiss`, the event a dismissal takes back) and
//! `image`, which a notification service extension fetches. A silent push has `content-available` alone in `aps`,
//! as Apple asks.

mod collapse;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::{BodyError, patch, set};
use crate::contract::{Kind, Notification, Payload, Priority};
use crate::limits::APNS_BODY;

/// What of a request to APNs follows from the notification alone. Its `Debug` is left out: it would show content.
#[derive(Clone, PartialEq, Eq)]
pub struct Built {
    /// The payload, at most [`APNS_BODY`] bytes.
    pub body: String,
    /// `apns-push-type`.
    pub push_type: &'static str,
    /// `apns-priority`.
    pub priority: u8,
    /// `apns-collapse-id`: visible ASCII, at most 64 bytes.
    pub collapse_id: Option<String>,
}

/// Builds the request's body and header values.
pub fn build(payload: &Payload) -> Result<Built, BodyError> {
    let notification = &payload.notification;
    let alert = payload.kind == Kind::Alert;
    let mut body = notification.data.clone();
    body.insert("aps".into(), if alert { aps(notification) } else { json!({"content-available": 1}) });
    body.insert("pushwake".into(), pushwake(payload));
    patch::apply(&mut body, &notification.raw.apns);
    let Some(Value::Object(aps)) = body.get("aps") else { return Err(BodyError::Aps) };
    if alert && !["alert", "sound", "badge"].iter().any(|key| aps.contains_key(*key)) {
        return Err(BodyError::Empty);
    }
    let body = Value::Object(body).to_string();
    if body.len() > APNS_BODY {
        return Err(BodyError::TooLarge { size: body.len(), limit: APNS_BODY });
    }
    Ok(Built {
        body,
        push_type: if alert { "alert" } else { "background" },
        priority: priority(notification.priority, alert),
        collapse_id: notification.collapse_id.as_deref().map(collapse::fit),
    })
}

fn aps(notification: &Notification) -> Value {
    let mut alert = Map::new();
    let mut aps = Map::new();
    set(&mut alert, "title", notification.title.clone());
    set(&mut alert, "body", notification.body.clone());
    set(&mut aps, "alert", (!alert.is_empty()).then_some(alert));
    set(&mut aps, "sound", notification.sound.clone());
    set(&mut aps, "badge", notification.badge);
    set(&mut aps, "thread-id", notification.thread.clone());
    set(&mut aps, "mutable-content", notification.image.as_ref().map(|_| 1));
    Value::Object(aps)
}

fn pushwake(payload: &Payload) -> Value {
    let mut own = Map::new();
    let event = if payload.kind == Kind::Dismiss { "dismiss" } else { "event" };
    set(&mut own, event, Some(payload.event.as_str()));
    set(&mut own, "image", payload.notification.image.clone());
    Value::Object(own)
}

/// Apple refuses 10 for a payload with `content-available` alone, so a silent push never has it.
fn priority(asked: Option<Priority>, alert: bool) -> u8 {
    match asked {
        None | Some(Priority::High) if alert => 10,
        Some(Priority::Low) => 1,
        _ => 5,
    }
}

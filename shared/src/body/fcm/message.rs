//! What Pushwake makes of a notification, before the override.

use serde_json::{Map, Value};

use super::data;
use crate::body::{BodyError, set};
use crate::contract::{Kind, Notification, Payload, Priority};

/// What makes an alert visible; Android shows nothing for a sound or a number alone.
const VISIBLE: &[&str] = &["title", "body", "title_loc_key", "body_loc_key"];

pub(super) fn of(payload: &Payload) -> Result<Map<String, Value>, BodyError> {
    let notification = &payload.notification;
    let mut data = data::of(&notification.data)?;
    data.insert("pushwake".into(), pushwake(payload).into());
    let mut message = Map::from_iter([("data".to_owned(), Value::Object(data))]);
    let mut android = Map::new();
    let alert = payload.kind == Kind::Alert;
    set(&mut android, "priority", Some(priority(notification.priority, alert)));
    set(&mut android, "collapse_key", notification.collapse_id.clone());
    if alert {
        set(&mut message, "notification", Some(shown(notification)).filter(|shown| !shown.is_empty()));
        set(&mut android, "notification", Some(how(notification)).filter(|how| !how.is_empty()));
    }
    message.insert("android".into(), android.into());
    Ok(message)
}

/// Whether Android has something to show.
pub(super) fn shows(message: &Map<String, Value>) -> bool {
    let android = message.get("android").and_then(|android| android.get("notification"));
    let shown = [message.get("notification"), android];
    let visible = |shown: &Value| VISIBLE.iter().any(|key| shown.get(key).is_some());
    shown.into_iter().flatten().any(visible)
}

fn shown(notification: &Notification) -> Map<String, Value> {
    let mut shown = Map::new();
    set(&mut shown, "title", notification.title.clone());
    set(&mut shown, "body", notification.body.clone());
    set(&mut shown, "image", notification.image.clone());
    shown
}

fn how(notification: &Notification) -> Map<String, Value> {
    let mut how = Map::new();
    set(&mut how, "sound", notification.sound.clone());
    set(&mut how, "tag", notification.collapse_id.clone());
    set(&mut how, "notification_count", notification.badge);
    how
}

/// Our own part of `data`: JSON in a string.
fn pushwake(payload: &Payload) -> String {
    let mut own = Map::new();
    let event = if payload.kind == Kind::Dismiss { "dismiss" } else { "event" };
    set(&mut own, event, Some(payload.event.as_str()));
    set(&mut own, "thread", payload.notification.thread.clone());
    Value::Object(own).to_string()
}

/// FCM knows two. High is for what is shown at once: it lowers silent pushes of high priority by itself.
fn priority(asked: Option<Priority>, alert: bool) -> &'static str {
    match asked {
        None | Some(Priority::High) if alert => "HIGH",
        _ => "NORMAL",
    }
}

//! `data`, whose values are strings.

use serde_json::{Map, Value};

use crate::body::BodyError;

/// The app's own data, if FCM takes it.
pub(super) fn of(data: &Map<String, Value>) -> Result<Map<String, Value>, BodyError> {
    match data.iter().find_map(|(key, value)| Some((key, fault(key, value)?))) {
        Some((key, reason)) => Err(BodyError::Data { key: key.clone(), reason }),
        None => Ok(data.clone()),
    }
}

/// Whether FCM takes the `data` of a finished message.
pub(super) fn is_sendable(message: &Map<String, Value>) -> bool {
    let data = message.get("data").and_then(Value::as_object);
    data.is_none_or(|data| data.iter().all(|(key, value)| fault(key, value).is_none()))
}

fn fault(key: &str, value: &Value) -> Option<&'static str> {
    let reserved = matches!(key, "from" | "message_type") || key.starts_with("gcm") || key.starts_with("google");
    if reserved {
        Some("is reserved by FCM; use another key")
    } else if value.is_string() {
        None
    } else {
        Some("must be a string for an Android device")
    }
}

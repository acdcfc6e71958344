//! What Google refuses before it looks at the token.

use serde_json::{Map, Value};

use crate::provider::Reply;

/// Bytes of a message without its token.
const LIMIT: usize = 4096;
/// Seconds of the longest `ttl`.
const LONGEST: u64 = 2_419_200;

const MESSAGE: &[&str] =
    &["data", "notification", "android", "webpush", "apns", "fcm_options", "token", "topic", "condition"];
const NOTIFICATION: &[&str] = &["title", "body", "image"];
const ANDROID: &[&str] = &[
    "collapse_key",
    "priority",
    "ttl",
    "restricted_package_name",
    "data",
    "notification",
    "fcm_options",
    "direct_boot_ok",
];

/// Checks the shape and the size of a body.
pub(super) fn check(body: &[u8]) -> Result<(), Reply> {
    let refuse = |wrong: bool, field: &str, description: &str| {
        if wrong { Err(Reply::violation(field, description)) } else { Ok(()) }
    };
    let body: Value =
        serde_json::from_slice(body).map_err(|_| Reply::violation("", "Invalid JSON payload received."))?;
    let Some(message) = body["message"].as_object() else {
        return Err(Reply::violation("message", "Recipient of the message is not set."));
    };
    known("message", message, MESSAGE)?;
    part("message.notification", message.get("notification"), NOTIFICATION)?;
    part("message.android", message.get("android"), ANDROID)?;
    let targets = ["token", "topic", "condition"].iter().filter(|target| message.contains_key(**target)).count();
    refuse(targets != 1, "message", "Recipient of the message is not set.")?;
    let token = message.get("token").and_then(Value::as_str).unwrap_or_default();
    refuse(token.is_empty(), "message.token", "Invalid registration token")?;
    data(message.get("data"))?;
    let android = &body["message"]["android"];
    let priority = android["priority"].as_str();
    refuse(!matches!(priority, None | Some("HIGH" | "NORMAL")), "message.android.priority", "Invalid value")?;
    refuse(android.get("ttl").is_some_and(|ttl| !is_ttl(ttl)), "message.android.ttl", "Invalid duration")?;
    let mut sized = message.clone();
    sized.remove("token");
    let size = serde_json::json!({ "message": sized }).to_string().len();
    refuse(size > LIMIT, "message", "Android message is too big")
}

fn part(path: &str, value: Option<&Value>, names: &[&str]) -> Result<(), Reply> {
    match value {
        None => Ok(()),
        Some(Value::Object(object)) => known(path, object, names),
        Some(_) => Err(Reply::violation(path, "Invalid value")),
    }
}

fn known(path: &str, object: &Map<String, Value>, names: &[&str]) -> Result<(), Reply> {
    match object.keys().find(|key| !names.contains(&key.as_str())) {
        Some(key) => Err(Reply::violation(path, &format!("Unknown name \"{key}\" at '{path}': Cannot find field."))),
        None => Ok(()),
    }
}

fn data(data: Option<&Value>) -> Result<(), Reply> {
    let Some(data) = data else { return Ok(()) };
    let Some(data) = data.as_object() else { return Err(Reply::violation("message.data", "Invalid value")) };
    for (n, (key, value)) in data.iter().enumerate() {
        let reserved =
            matches!(key.as_str(), "from" | "message_type") || key.starts_with("gcm") || key.starts_with("google");
        if reserved {
            return Err(Reply::violation(&format!("message.data[{n}].key"), "Invalid data payload key"));
        }
        if !value.is_string() {
            return Err(Reply::violation(&format!("message.data[{n}].value"), "Invalid value (TYPE_STRING)"));
        }
    }
    Ok(())
}

fn is_ttl(ttl: &Value) -> bool {
    let seconds = ttl.as_str().and_then(|ttl| ttl.strip_suffix('s')).and_then(|seconds| seconds.parse::<u64>().ok());
    seconds.is_some_and(|seconds| seconds <= LONGEST)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(message: &Value) -> Option<String> {
        let refusal = check(json!({ "message": message }).to_string().as_bytes()).err()?;
        Some(format!("{refusal:?}"))
    }

    #[test]
    fn a_plain_message_passes() {
        let android = json!({"priority": "HIGH", "ttl": "300s", "notification": {"tag": "t"}});
        let message = json!({"token": "t", "notification": {"title": "t"}, "data": {"a": "b"}, "android": android});
        assert_eq!(refused(&message), None);
    }

    #[test]
    fn what_google_refuses_is_refused_at_its_field() {
        for (wrong, field) in [
            (json!({}), "message"),
            (json!({"token": ""}), "message.token"),
            (json!({"token": 7}), "message.token"),
            (json!({"token": "t", "topic": "t"}), "message"),
            (json!({"token": "t", "badge": 7}), "Unknown name"),
            (json!({"token": "t", "notification": {"sound": "s"}}), "message.notification"),
            (json!({"token": "t", "android": {"badge": 1}}), "message.android"),
            (json!({"token": "t", "android": {"priority": "loud"}}), "message.android.priority"),
            (json!({"token": "t", "android": {"ttl": 300}}), "message.android.ttl"),
            (json!({"token": "t", "android": {"ttl": "-1s"}}), "message.android.ttl"),
            (json!({"token": "t", "android": {"ttl": "2419201s"}}), "message.android.ttl"),
            (json!({"token": "t", "data": {"a": "b", "c": 1}}), "message.data[1].value"),
            (json!({"token": "t", "data": {"from": "b"}}), "message.data[0].key"),
            (json!({"token": "t", "data": {"a": "a".repeat(4096)}}), "too big"),
        ] {
            let refused = refused(&wrong).expect("a refusal");
            assert!(refused.contains(field), "{wrong}: {refused}");
        }
        assert!(check(b"{").is_err());
    }
}

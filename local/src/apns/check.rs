//! What Apple refuses before it looks at anything else, in its words.

use http::Method;
use http::request::Parts;
use uuid::Uuid;

use super::Asked;

/// A status and a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) u16, pub(super) &'static str);

const PUSH_TYPES: [&str; 10] = [
    "alert",
    "background",
    "location",
    "voip",
    "complication",
    "fileprovider",
    "mdm",
    "liveactivity",
    "pushtotalk",
    "widgets",
];

/// Checks everything but the token.
pub(super) fn check(parts: &Parts, asked: &Asked, body: usize, topics: &[String]) -> Result<(), Refusal> {
    let refuse = |wrong: bool, status: u16, reason: &'static str| {
        if wrong { Err(Refusal(status, reason)) } else { Ok(()) }
    };
    let valid = |value: &Option<String>, valid: fn(&str) -> bool| value.as_deref().is_none_or(valid);
    refuse(parts.method != Method::POST, 405, "MethodNotAllowed")?;
    refuse(!parts.uri.path().starts_with("/3/device/"), 404, "BadPath")?;
    refuse(asked.device.is_empty(), 400, "MissingDeviceToken")?;
    let hex = asked.device.len().is_multiple_of(2) && asked.device.bytes().all(|byte| byte.is_ascii_hexdigit());
    refuse(!hex, 400, "BadDeviceToken")?;
    let repeated = parts
        .headers
        .keys()
        .any(|name| name.as_str().starts_with("apns-") && parts.headers.get_all(name).iter().nth(1).is_some());
    refuse(repeated, 400, "DuplicateHeaders")?;
    refuse(asked.topic.is_none(), 400, "MissingTopic")?;
    refuse(!topics.iter().any(|topic| Some(topic) == asked.topic.as_ref()), 400, "BadTopic")?;
    refuse(!valid(&asked.apns_id, is_lower_uuid), 400, "BadMessageId")?;
    refuse(!valid(&asked.expiration, |seconds| seconds.parse::<u32>().is_ok()), 400, "BadExpirationDate")?;
    refuse(!valid(&asked.priority, |priority| matches!(priority, "10" | "5" | "1")), 400, "BadPriority")?;
    let silent = asked.push_type.as_deref() == Some("background");
    refuse(silent && asked.priority.as_deref() == Some("10"), 400, "BadPriority")?;
    let push_type = asked.push_type.as_deref().is_some_and(|push_type| PUSH_TYPES.contains(&push_type));
    refuse(!push_type, 400, "InvalidPushType")?;
    refuse(!valid(&asked.collapse_id, |id| id.len() <= 64), 400, "BadCollapseId")?;
    refuse(body == 0, 400, "PayloadEmpty")?;
    let limit = if asked.push_type.as_deref() == Some("voip") { 5120 } else { 4096 };
    refuse(body > limit, 413, "PayloadTooLarge")
}

fn is_lower_uuid(id: &str) -> bool {
    Uuid::parse_str(id).is_ok_and(|uuid| uuid.hyphenated().to_string() == id)
}

#[cfg(test)]
mod tests;

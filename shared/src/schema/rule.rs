//! Rules between the members of an object, added to what is derived from its type.

use schemars::Schema;
use serde_json::{Map, Value, json};

use crate::contract::Notification;

/// What depends on the kind of a request.
pub(crate) fn request(schema: &mut Schema) {
    let nothing: Map<String, Value> =
        Notification::VISIBLE.iter().map(|key| ((*key).to_owned(), json!({"type": "null"}))).collect();
    let mut silent = json!({"priority": {"enum": ["normal", "low", null]}});
    if let Value::Object(silent) = &mut silent {
        silent.extend(nothing);
    }
    let rules = json!([
        {
            "$comment": "An alert shows something, a silent push does not.",
            "if": {"properties": {"kind": {"enum": ["background", "dismiss"]}}, "required": ["kind"]},
            "then": {"properties": {"notification": {"properties": silent}}},
            "else": {"properties": {"notification": {"type": "object"}}, "required": ["notification"]},
        },
        {
            "$comment": "A dismissal holds from now on.",
            "if": {"properties": {"kind": {"const": "dismiss"}}, "required": ["kind"]},
            "then": {"properties": {"send_at": {"type": "null"}}},
        },
    ]);
    schema.insert("allOf".to_owned(), rules);
}

/// A token or a subscription.
pub(crate) fn device(schema: &mut Schema) {
    let of = |one: &str, other: &str| json!({"properties": {one: {"not": {"type": "null"}}, other: {"type": "null"}}, "required": [one]});
    schema.insert("oneOf".to_owned(), json!([of("token", "subscription"), of("subscription", "token")]));
}

/// What browsers say beside what counts.
pub(crate) fn subscription(schema: &mut Schema) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let passed_over = json!({"description": "What browsers add; it is passed over."});
        properties.insert("expirationTime".to_owned(), passed_over);
    }
}

/// An enumeration that a newer revision may add to.
pub(crate) fn open(schema: &mut Schema) {
    if let Some(Value::Array(mut known)) = schema.remove("oneOf") {
        known.push(json!({"description": "A word of a newer revision.", "type": "string"}));
        schema.insert("anyOf".to_owned(), Value::Array(known));
    }
}

/// A message whose `kind` is none of those that are known.
pub(crate) fn message(schema: &mut Schema) {
    if let Some(Value::Array(known)) = schema.get_mut("oneOf") {
        let kinds: Vec<Value> = known.iter().map(|one| one["properties"]["kind"]["const"].clone()).collect();
        let other = json!({"type": "string", "not": {"enum": kinds}});
        known.push(json!({
            "description": "What a newer revision says.",
            "type": "object",
            "properties": {"kind": other},
            "required": ["kind"],
        }));
    }
}

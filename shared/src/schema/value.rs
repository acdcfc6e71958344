//! Objects with values of any shape.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

use super::pattern::NO_NUL;
use crate::contract::Notification;

/// `data`, or null.
pub(crate) fn data(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = patch(generator);
    let reserved = Notification::RESERVED.iter().map(|key| ((*key).to_owned(), false.into()));
    schema.insert("properties".to_owned(), serde_json::Value::Object(reserved.collect()));
    schema
}

/// A merge patch, or null.
pub(crate) fn patch(generator: &mut SchemaGenerator) -> Schema {
    let value = generator.subschema_for::<Value>();
    json_schema!({
        "type": ["object", "null"],
        "propertyNames": {"pattern": NO_NUL},
        "additionalProperties": value,
    })
}

/// JSON without NUL, and without a number that a reader would have to round.
struct Value;

impl JsonSchema for Value {
    fn schema_name() -> Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Self>();
        json_schema!({
            "description": "Any JSON, nested at most 32 levels deep. Numbers beyond 64 bits go as strings.",
            "pattern": NO_NUL,
            "minimum": i64::MIN,
            "maximum": u64::MAX,
            "items": value,
            "propertyNames": {"pattern": NO_NUL},
            "additionalProperties": value,
        })
    }
}

//! The JSON Schemas (2020-12) of what crosses the border between a product and Pushwake.
//!
//! They are made from the types of the [`contract`](crate::contract) and the [`feedback`](crate::feedback), with their
//! limits and their pages, and committed under `docs/schema/`. A test fails where a committed file is not what the
//! types say, and writes it when it is run with `PUSHWAKE_WRITE=1`.
//!
//! The schema of a request refuses nothing that enqueue takes. What it can't say is listed in `docs/contract.md`, and
//! enqueue answers it per device: see `tests`, where every request of the reader's own tests meets the schema too.
//! The schemas of a response and of a message of feedback are open, as their readers have to be: unknown members,
//! statuses and kinds are a newer revision's.

pub(crate) mod pattern;
pub(crate) mod rule;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod value;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::contract::{Request, Response, VERSION};
use crate::feedback::Message;

/// Every schema, with the name of its file.
pub fn all() -> [(&'static str, Schema); 3] {
    [("request.json", request()), ("response.json", response()), ("feedback.json", feedback())]
}

/// What enqueue takes.
pub fn request() -> Schema {
    of::<Request>(SchemaSettings::draft2020_12())
}

/// What enqueue answers.
pub fn response() -> Schema {
    of::<Response>(SchemaSettings::draft2020_12().for_serialize())
}

/// One message of the feedback queue.
pub fn feedback() -> Schema {
    of::<Message>(SchemaSettings::draft2020_12().for_serialize())
}

fn of<T: JsonSchema>(settings: SchemaSettings) -> Schema {
    settings.with_transform(RecursiveTransform(unwrap)).into_generator().into_root_schema_for::<T>()
}

/// Descriptions are pages of Rust, wrapped at its width.
fn unwrap(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
}

/// `v`, always there.
pub(crate) fn version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "const": VERSION})
}

/// `v` of a request, which may be left out.
pub(crate) fn version_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": [VERSION, null]})
}

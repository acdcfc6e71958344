//! JSON merge patch (RFC 7396).

use serde_json::{Map, Value};

/// Applies `patch` to `target`: members replace members, objects are merged, `null` removes.
pub(super) fn apply(target: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (key, value) in patch {
        match value {
            Value::Null => {
                target.remove(key);
            }
            Value::Object(patch) => {
                let member = target.entry(key).or_insert_with(|| Value::Object(Map::new()));
                if !member.is_object() {
                    *member = Value::Object(Map::new());
                }
                if let Value::Object(member) = member {
                    apply(member, patch);
                }
            }
            other => {
                target.insert(key.clone(), other.clone());
            }
        }
    }
}

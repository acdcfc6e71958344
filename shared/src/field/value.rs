//! Values of any shape, as far as every reader behind us can take them.

use serde_json::{Map, Value};

use super::{Fault, Field};
use crate::limits::VALUE_DEPTH;

impl Field<'_> {
    /// An object with values of any shape.
    pub fn map(&self) -> Result<Map<String, Value>, Fault> {
        // Opened first, for a key given twice: a map would quietly drop one of them.
        if let Some(fault) = self.object()?.twice() {
            return Err(fault);
        }
        let value: Value = serde_json::from_str(self.raw.get()).map_err(|error| self.unreadable(&error))?;
        check(&value, VALUE_DEPTH).map_err(|reason| self.fault(reason))?;
        match value {
            Value::Object(map) => Ok(map),
            _ => Err(self.fault("must be an object")),
        }
    }

    /// The parser's own words hold no content, only its position, which would point into the middle of nowhere.
    fn unreadable(&self, error: &serde_json::Error) -> Fault {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        self.fault(format!("can't be read: {words}"))
    }
}

/// Recursion is bounded: the parser refuses what is nested deeper than 128.
fn check(value: &Value, depth: usize) -> Result<(), String> {
    match value {
        Value::String(text) if text.contains('\0') => Err("contains a NUL character".into()),
        // Read as a float, it would arrive as another number.
        Value::Number(number) if number.as_f64().is_some_and(|n| number.is_f64() && n.abs() >= 2f64.powi(63)) => {
            Err("contains a number beyond 64 bits; send it as a string".into())
        }
        Value::Array(_) | Value::Object(_) if depth == 0 => Err(format!("is nested deeper than {VALUE_DEPTH} levels")),
        Value::Array(values) => values.iter().try_for_each(|value| check(value, depth - 1)),
        Value::Object(map) if map.keys().any(|key| key.contains('\0')) => Err("contains a NUL character".into()),
        Value::Object(map) => map.values().try_for_each(|value| check(value, depth - 1)),
        _ => Ok(()),
    }
}

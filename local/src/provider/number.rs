//! A sequence number in a body.

use serde::{Deserialize, Deserializer};

/// A number, or its digits: of FCM's `data` every value is a string, and one event may reach all platforms.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) Option<u64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(from)?;
        Ok(Self(value.as_u64().or_else(|| value.as_str()?.parse().ok())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_a_number_too() {
        for (json, number) in [("7", Some(7)), (r#""7""#, Some(7)), (r#""seven""#, None), ("-1", None), ("null", None)]
        {
            assert_eq!(serde_json::from_str::<Number>(json).expect("valid"), Number(number), "{json}");
        }
    }
}

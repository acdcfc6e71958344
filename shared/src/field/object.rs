//! Objects and arrays, opened one level at a time.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Fault;

/// The most of an unknown key that a path shows, in characters.
const KEY_SHOWN: usize = 64;

/// One field: where it stands, and its JSON, unread.
#[derive(Clone)]
pub(crate) struct Field<'a> {
    pub path: String,
    pub raw: &'a RawValue,
}

impl<'a> Field<'a> {
    /// Opens the whole of `text`; `name` is what its own faults call it, and paths inside begin without it.
    pub fn root(text: &'a str, name: &str) -> Result<Object<'a>, Fault> {
        let raw = serde_json::from_str(text).map_err(|_| Fault::new(name, "must be valid JSON"))?;
        let root = Self { path: String::new(), raw };
        root.object().map_err(|fault| Fault::new(name, fault.reason))
    }

    /// A fault of this field.
    pub fn fault(&self, reason: impl Into<String>) -> Fault {
        Fault::new(self.path.clone(), reason)
    }

    /// Opens an object, whatever its keys.
    pub fn object(&self) -> Result<Object<'a>, Fault> {
        let Members(raw) = serde_json::from_str(self.raw.get()).map_err(|_| self.fault("must be an object"))?;
        // A key that is not Unicode stays as it was written, in quotes, and so equals none that is known.
        let key = |key: &RawValue| serde_json::from_str(key.get()).unwrap_or_else(|_| key.get().to_owned());
        let members = raw.into_iter().map(|(name, value)| (key(name), value)).collect();
        Ok(Object { path: self.path.clone(), members })
    }

    /// Opens an object that may have the keys of `known` only, each once.
    pub fn object_of(&self, known: &[&str]) -> Result<Object<'a>, Fault> {
        let object = self.object()?;
        let fault = object.twice().or_else(|| object.unknown(known).next());
        fault.map_or(Ok(object), Err)
    }

    /// Opens an array.
    pub fn array(&self) -> Result<Vec<Field<'a>>, Fault> {
        let raw: Vec<&'a RawValue> =
            serde_json::from_str(self.raw.get()).map_err(|_| self.fault("must be an array"))?;
        let at = |(n, raw)| Field { path: format!("{}[{n}]", self.path), raw };
        Ok(raw.into_iter().enumerate().map(at).collect())
    }
}

/// An opened object.
pub(crate) struct Object<'a> {
    path: String,
    members: Vec<(String, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// The field `key`; absent and `null` are the same.
    pub fn optional(&self, key: &str) -> Option<Field<'a>> {
        let raw = self.members.iter().find(|(name, _)| name == key)?.1;
        (raw.get() != "null").then(|| Field { path: self.path_of(key), raw })
    }

    /// The field `key`.
    pub fn required(&self, key: &str) -> Result<Field<'a>, Fault> {
        self.optional(key).ok_or_else(|| Fault::new(self.path_of(key), "is missing"))
    }

    /// Every field, in the order it was written.
    pub fn fields(&self) -> impl Iterator<Item = (&str, Field<'a>)> {
        self.members.iter().map(|(key, raw)| (key.as_str(), Field { path: self.path_of(key), raw }))
    }

    /// A fault for every key that is not in `known`.
    pub fn unknown(&self, known: &[&str]) -> impl Iterator<Item = Fault> {
        let unknown = self.members.iter().filter(move |(key, _)| !known.contains(&key.as_str()));
        unknown.map(move |(key, _)| {
            Fault::new(self.path_of(key), format!("is not a known field; known are {}", known.join(", ")))
        })
    }

    /// A key given twice is a fault: nobody can say which value was meant.
    pub fn twice(&self) -> Option<Fault> {
        let mut keys: Vec<&str> = self.members.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).find(|pair| pair[0] == pair[1])?;
        Some(Fault::new(self.path_of(twice[0]), "is given twice"))
    }

    fn path_of(&self, key: &str) -> String {
        member(&self.path, key)
    }
}

/// The path of the member `key` of the object at `path`.
pub(crate) fn member(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    match (plain && key.len() <= KEY_SHOWN, path) {
        (true, "") => key.to_owned(),
        (true, path) => format!("{path}.{key}"),
        (false, path) => format!("{path}[{:?}]", key.chars().take(KEY_SHOWN).collect::<String>()),
    }
}

/// An object's members in order, keys raw too: a key with a lone surrogate must not hide the object.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

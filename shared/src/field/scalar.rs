//! Strings, numbers, ids and times.

use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use super::{Fault, Field};
use crate::limits::ID_LENGTH;

impl Field<'_> {
    /// A string without NUL, which Postgres can't store.
    pub fn string(&self) -> Result<String, Fault> {
        if !self.raw.get().starts_with('"') {
            return Err(self.fault("must be a string"));
        }
        let text: String =
            serde_json::from_str(self.raw.get()).map_err(|_| self.fault("is not valid Unicode (a lone surrogate)"))?;
        if text.contains('\0') {
            return Err(self.fault("contains a NUL character"));
        }
        Ok(text)
    }

    /// A string that is not empty.
    pub fn text(&self) -> Result<String, Fault> {
        let text = self.string()?;
        if text.is_empty() { Err(self.fault("is empty")) } else { Ok(text) }
    }

    /// An id: 1 to 256 characters, none of them a control character.
    pub fn id(&self) -> Result<String, Fault> {
        let id = self.text()?;
        if id.chars().any(char::is_control) {
            return Err(self.fault("contains a control character"));
        }
        match id.chars().count() {
            0..=ID_LENGTH => Ok(id),
            n => Err(self.fault(format!("is {n} characters long; at most {ID_LENGTH}"))),
        }
    }

    /// One of a few words.
    pub fn one_of<T: Copy>(&self, known: &[T], name: impl Fn(T) -> &'static str) -> Result<T, Fault> {
        let word = self.string()?;
        let found = known.iter().copied().find(|known| name(*known) == word);
        found.ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|known| name(*known)).collect();
            self.fault(format!("must be one of {}", names.join(", ")))
        })
    }

    /// A whole number up to `most`.
    pub fn whole(&self, most: u32) -> Result<u32, Fault> {
        let number = self.raw.get().parse::<u32>().ok().filter(|n| *n <= most);
        number.ok_or_else(|| self.fault(format!("must be a whole number from 0 to {most}")))
    }

    /// An RFC 3339 time, in UTC: what Postgres stores must not overflow when its offset is taken away.
    pub fn time(&self) -> Result<OffsetDateTime, Fault> {
        let text = self.string()?;
        // The parser takes a space for the T, which other readers of JSON don't.
        let time = OffsetDateTime::parse(&text, &Rfc3339).ok().filter(|_| matches!(text.as_bytes()[10], b'T' | b't'));
        let Some(time) = time else {
            return Err(self.fault("must be an RFC 3339 time, such as 2026-11-30T18:00:00Z"));
        };
        match time.checked_to_offset(UtcOffset::UTC) {
            Some(time) if (1970..=9999).contains(&time.year()) => Ok(time),
            _ => Err(self.fault("must lie between the years 1970 and 9999")),
        }
    }
}

//! Reads variables and keeps count of what is wrong with them.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::Name;
use crate::app::Apps;
use crate::function::apps::AppsRef;
use crate::function::secret::SecretRef;

/// One variable that is wrong, and what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The variable.
    pub name: Name,
    /// How to set it right. Never its value, which may be a secret in the wrong place.
    pub must: String,
}

/// Everything that is wrong with the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// At least one.
    pub faults: Vec<Fault>,
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the environment is wrong: ")?;
        for (n, Fault { name, must }) in self.faults.iter().enumerate() {
            let separator = if n == 0 { "" } else { "; " };
            write!(f, "{separator}{} {must}", name.as_str())?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// Reads on after a fault, with a value that nobody will see, since [`Reading::end`] refuses.
pub(super) struct Reading<'a> {
    lookup: &'a dyn Fn(Name) -> Option<String>,
    faults: Vec<Fault>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(lookup: &'a dyn Fn(Name) -> Option<String>) -> Self {
        Self { lookup, faults: Vec::new() }
    }

    pub(super) fn end(&mut self) -> Result<(), ConfigError> {
        if self.faults.is_empty() { Ok(()) } else { Err(ConfigError { faults: std::mem::take(&mut self.faults) }) }
    }

    pub(super) fn fault(&mut self, name: Name, must: impl Into<String>) {
        self.faults.push(Fault { name, must: must.into() });
    }

    /// An empty variable counts as absent: a template can't leave one out by a condition alone.
    pub(super) fn optional(&self, name: Name) -> Option<String> {
        (self.lookup)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    pub(super) fn required(&mut self, name: Name) -> String {
        self.optional(name).unwrap_or_else(|| {
            self.fault(name, "must be set");
            String::new()
        })
    }

    /// The apps, or where they are.
    pub(super) fn apps(&mut self, name: Name) -> AppsRef {
        let text = self.required(name);
        let none = AppsRef::Here(Apps::default());
        if text.is_empty() {
            return none;
        }
        AppsRef::parse(&text).unwrap_or_else(|must| {
            self.fault(name, must);
            none
        })
    }

    pub(super) fn number<T>(&mut self, name: Name, range: RangeInclusive<T>) -> Option<T>
    where
        T: FromStr + PartialOrd + Display,
    {
        let text = self.optional(name)?;
        let number = text.parse().ok().filter(|number| range.contains(number));
        if number.is_none() {
            self.fault(name, format!("must be a whole number from {} to {}", range.start(), range.end()));
        }
        number
    }

    pub(super) fn choice<T: Copy>(&mut self, name: Name, choices: [(&str, T); 2], default: T) -> T {
        let Some(text) = self.optional(name) else { return default };
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text) {
            return *choice;
        }
        self.fault(name, format!("must be `{}` or `{}`", choices[0].0, choices[1].0));
        default
    }

    /// A namespace that CloudWatch takes; it would drop the metrics of any other in silence.
    pub(super) fn namespace(&mut self, name: Name) -> Option<String> {
        let text = self.optional(name)?;
        let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_/#".contains(&byte));
        if !plain || text.len() > 255 || text.starts_with("AWS/") {
            self.fault(name, "must be a namespace of CloudWatch: up to 255 of A-Z a-z 0-9 . - _ / #, not AWS/…");
        }
        Some(text)
    }

    pub(super) fn secret(&mut self, name: Name) -> Option<SecretRef> {
        let text = self.optional(name)?;
        let reference = SecretRef::read(&text);
        if reference.is_none() {
            self.fault(name, "must be a reference, `secretsmanager:<name or ARN>` or `file:<path>`, never the secret");
        }
        reference
    }
}

//! What is wrong with one field.

use std::fmt;

/// What is wrong with one field. It names the field and never repeats its value, so it may be shown and logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field's path, such as `devices[3].token`.
    pub field: String,
    /// What is wrong with it, as the rest of a sentence that begins with the field.
    pub reason: String,
}

impl Fault {
    /// A fault of the field at `field`.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.reason)
    }
}

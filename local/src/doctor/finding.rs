//! One thing that was looked at.

use pushwake::function::config::Fault;
use serde::Serialize;

use crate::terminal::{Paint, Tone};

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// It works, and may not be what was meant.
    Warning,
    /// It does not work.
    Wrong,
}

/// One thing that was looked at, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub subject: String,
    /// How it stands.
    pub verdict: Verdict,
    /// What was seen. Never a secret.
    pub seen: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    /// A variable that is wrong.
    pub(super) fn fault(fault: &Fault) -> Self {
        Self { verdict: Verdict::Wrong, ..Self::ok(fault.name.as_str(), fault.must.as_str()) }
    }

    pub(super) fn ok(subject: impl Into<String>, seen: impl Into<String>) -> Self {
        Self { subject: subject.into(), verdict: Verdict::Ok, seen: seen.into(), fix: None }
    }

    pub(super) fn warning(subject: impl Into<String>, seen: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { verdict: Verdict::Warning, fix: Some(fix.into()), ..Self::ok(subject, seen) }
    }

    pub(super) fn wrong(subject: impl Into<String>, seen: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { verdict: Verdict::Wrong, fix: Some(fix.into()), ..Self::ok(subject, seen) }
    }

    /// A line, and one more for what to do. Subjects are `width` characters wide.
    pub(super) fn lines(&self, width: usize, paint: Paint) -> String {
        let (word, tone) = match self.verdict {
            Verdict::Ok => ("ok", Tone::Good),
            Verdict::Warning => ("warning", Tone::Odd),
            Verdict::Wrong => ("wrong", Tone::Bad),
        };
        let word = paint.pad(word, "warning".len(), tone);
        let line = format!("{word}  {:<width$}  {}\n", self.subject, self.seen);
        match &self.fix {
            Some(fix) => format!("{line}{:<7}  {:<width$}  -> {fix}\n", "", ""),
            None => line,
        }
    }
}

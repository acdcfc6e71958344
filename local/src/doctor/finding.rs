//! One thing that was looked at.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use pushwake::function::config::Fault;
use serde::Serialize;

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
    pub(super) fn write(&self, out: &mut impl Write, width: usize, coloured: bool) -> io::Result<()> {
        let (word, colour) = match self.verdict {
            Verdict::Ok => ("ok", AnsiColor::Green),
            Verdict::Warning => ("warning", AnsiColor::Yellow),
            Verdict::Wrong => ("wrong", AnsiColor::Red),
        };
        let style = if coloured { colour.on_default().bold() } else { Style::new() };
        writeln!(out, "{style}{word:<7}{style:#}  {:<width$}  {}", self.subject, self.seen)?;
        match &self.fix {
            Some(fix) => writeln!(out, "{:<7}  {:<width$}  -> {fix}", "", ""),
            None => Ok(()),
        }
    }
}

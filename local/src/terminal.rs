//! What the commands write: results on standard output, everything else on standard error, colours only where a
//! person looks.

use std::io::{self, IsTerminal, Write};

use clap::builder::styling::{AnsiColor, Style};

/// All well.
pub const WELL: u8 = 0;
/// Something failed, was not queued, or is not known.
pub const FAILED: u8 = 1;
/// The command line can't be read.
pub const USAGE: u8 = 2;
/// No stack is running.
pub const NO_STACK: u8 = 3;
/// Ended by Ctrl-C, as a shell says it.
pub const INTERRUPTED: u8 = 130;

/// The exit statuses, for the help of a command.
pub const STATUSES: &str = "\
Exit status:
  0    all well
  1    something failed, was not queued, or is not known
  2    the command line can't be read
  3    no stack is running
  130  ended by Ctrl-C";

/// How something is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Neither good nor bad.
    Plain,
    /// To be looked at.
    Odd,
    /// Wrong.
    Bad,
    /// Beside the point.
    Faint,
}

/// Colours, or none.
#[derive(Debug, Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// For standard output: only on a terminal that can, and never against `NO_COLOR`.
    pub fn of_stdout() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self(io::stdout().is_terminal() && !set("NO_COLOR") && !dumb)
    }

    /// `text`, padded to `width` characters, in its colour.
    pub fn pad(self, text: &str, width: usize, tone: Tone) -> String {
        let text = format!("{text:<width$}");
        let style = match tone {
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Odd => AnsiColor::Yellow.on_default(),
            Tone::Bad => AnsiColor::Red.on_default(),
            Tone::Faint => Style::new().dimmed(),
            Tone::Plain => Style::new(),
        };
        if self.0 && tone != Tone::Plain { format!("{style}{text}{style:#}") } else { text }
    }

    /// `text` in its colour.
    pub fn paint(self, text: &str, tone: Tone) -> String {
        self.pad(text, 0, tone)
    }
}

/// Writes to standard output. Whoever stopped reading, such as `head`, has seen enough: that is no error, and what is
/// being done goes on.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// The widest of these, in characters.
pub fn width<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(|text| text.chars().count()).max().unwrap_or_default()
}

/// `3 receipts`, `1 receipt`.
pub fn count(n: u64, one: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {one}{s}")
}

//! What the instances of a function wrote.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::watch;

use super::OnLine;

/// Lines kept; the oldest go first.
const KEPT: usize = 50_000;

/// Where a line was written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, which carries the log.
    Out,
    /// Standard error.
    Err,
}

/// One line that an instance wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The instance.
    pub pid: u32,
    /// Where to.
    pub stream: Stream,
    /// What, without its end of line.
    pub text: String,
}

/// The lines of all instances of a function, in the order they arrived.
#[derive(Default)]
pub struct Output {
    lines: Mutex<VecDeque<Line>>,
    /// How many there were in all; told with the lines locked, so that the two agree for whoever holds them.
    arrived: watch::Sender<u64>,
    on_line: Option<OnLine>,
}

impl Output {
    pub(super) fn new(on_line: Option<OnLine>) -> Self {
        Self { on_line, ..Self::default() }
    }

    /// All lines.
    pub fn lines(&self) -> Vec<Line> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The lines behind the first `seen` of them all, as far as they are kept, and how many there are by now.
    pub fn after(&self, seen: u64) -> (u64, Vec<Line>) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let arrived = *self.arrived.borrow();
        let new = usize::try_from(arrived.saturating_sub(seen)).unwrap_or(usize::MAX).min(lines.len());
        (arrived, lines.range(lines.len() - new..).cloned().collect())
    }

    /// The first line that `accept` accepts.
    pub fn find(&self, accept: impl Fn(&Line) -> bool) -> Option<Line> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().find(|line| accept(line)).cloned()
    }

    /// As [`Output::find`], and waits for the line if it is not there yet: an instance's last lines may arrive after
    /// its answer.
    pub async fn wait_for(&self, within: Duration, accept: impl Fn(&Line) -> bool) -> Option<Line> {
        let mut arrived = self.arrived.subscribe();
        let waiting = async {
            loop {
                arrived.mark_unchanged();
                if let Some(line) = self.find(&accept) {
                    return line;
                }
                // The sender lives as long as `self`.
                let _ = arrived.changed().await;
            }
        };
        tokio::time::timeout(within, waiting).await.ok()
    }

    /// What an instance wrote last to standard error, where a panic goes.
    pub(super) fn last_words(&self, pid: u32) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut errors = lines.iter().rev().filter(|line| line.pid == pid && line.stream == Stream::Err);
        errors.next().map(|line| format!(": {}", line.text)).unwrap_or_default()
    }

    /// Takes all lines of one stream.
    pub(super) async fn read(&self, pid: u32, stream: Stream, from: impl AsyncRead + Unpin) {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while from.read_until(b'\n', &mut bytes).await.is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
            bytes.clear();
            self.push(Line { pid, stream, text });
        }
    }

    fn push(&self, line: Line) {
        if let Some(on_line) = &self.on_line {
            on_line(&line);
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
        self.arrived.send_modify(|arrived| *arrived += 1);
    }
}

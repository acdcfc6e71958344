//! The breaker: what the answers to one app's sends say about the app as a whole.
//!
//! It opens when they can't be the fault of single notifications or devices: its provider fails ([`Breaker::failed`]),
//! or so many verdicts against tokens, or rejections no table lists, come at once that they are a fault of ours (a
//! wrong environment answers `BadDeviceToken` for every device). Each drain has its own breakers; what they share is
//! the pause, and the reason that stands in it: only a probe closes it again.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use pushwake::contract::DeviceId;

use super::fault::{Fault, Pause};
use super::is_unsent;
use crate::outcome::Outcome;

/// How long answers are counted together.
const WINDOW: Duration = Duration::from_mins(1);
/// Sends a share is judged on.
const AT_LEAST: u32 = 50;
/// The share of verdicts that can't be true, in percent.
const UNBELIEVABLE: u32 = 20;
/// The share of failures that is a provider's own, in percent.
const FAILING: u32 = 50;
/// Devices whose sends failed in a row, without any real answer between: small volumes must get there, too.
const IN_A_ROW: usize = 10;
/// Rounds that failed, of such a row and of such a share. One lost connection fails everything in flight at once, and
/// is one round; a send of the next one has started after the first failure was known.
const ROUNDS_IN_A_ROW: u32 = 2;
/// See [`ROUNDS_IN_A_ROW`].
const ROUNDS_OF_SHARE: u32 = 3;

/// Watches the outcomes of one app.
#[derive(Debug)]
pub struct Breaker {
    counted: Counted,
    row: Row,
    /// The first failure of the current round.
    round: Option<Instant>,
    opened: Option<(Instant, Fault)>,
}

/// Since the beginning of the window.
#[derive(Debug)]
struct Counted {
    since: Instant,
    sends: u32,
    failed: u32,
    failed_rounds: u32,
    dead: u32,
    unlisted: u32,
}

/// Since the last real answer.
#[derive(Debug, Default)]
struct Row {
    devices: HashSet<DeviceId>,
    rounds: u32,
}

/// Whose outcome it is.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Whom it was sent to.
    pub device: &'a DeviceId,
    /// When its claim was sent.
    pub claimed: Instant,
    /// When it was started.
    pub started: Instant,
    /// When it was answered, or given up.
    pub now: Instant,
}

/// What to make of an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The outcome to act on.
    pub outcome: Outcome,
    /// The breaker has opened: the app is to be paused.
    pub opened: Option<Pause>,
    /// A verdict against a token that the next ones may prove wrong.
    pub doubtful: bool,
}

impl Breaker {
    /// A breaker that has seen nothing.
    pub fn new(now: Instant) -> Self {
        Self { counted: Counted::new(now), row: Row::default(), round: None, opened: None }
    }

    /// Judges an outcome of a send that was no probe.
    pub fn judge(&mut self, outcome: Outcome, seen: &Seen<'_>) -> Judged {
        // It was in flight when the breaker opened, or its claim was, and has nothing to add. Whatever is claimed later
        // is claimed after a probe has ended the pause.
        if let Some((at, fault)) = self.opened
            && seen.claimed <= at
        {
            return Judged { outcome: fault.applied(outcome), opened: None, doubtful: false };
        }
        self.count(&outcome, seen);
        let Some(fault) = self.fault(&outcome) else {
            let doubtful = matches!(outcome, Outcome::Unregistered { .. }) && self.counted.is_unbelievable();
            return Judged { outcome, opened: None, doubtful };
        };
        *self = Self { opened: Some((seen.now, fault)), ..Self::new(seen.now) };
        let opened = Some(fault.pause(&outcome));
        Judged { outcome: fault.applied(outcome), opened, doubtful: false }
    }

    fn count(&mut self, outcome: &Outcome, seen: &Seen<'_>) {
        if seen.now.duration_since(self.counted.since) >= WINDOW {
            *self = Self { opened: self.opened, ..Self::new(seen.now) };
        }
        // A host that resolves to a forbidden address is not listed: many of those are a fault of our resolver.
        if matches!(outcome, Outcome::Rejected { listed: true, .. }) && is_unsent(outcome) {
            return;
        }
        self.counted.sends = self.counted.sends.saturating_add(1);
        match outcome {
            Outcome::Unavailable { .. } | Outcome::Ambiguous { .. } => self.failed(seen),
            Outcome::Unregistered { .. } => self.counted.dead += 1,
            Outcome::Rejected { listed: false, .. } => self.counted.unlisted += 1,
            _ => {}
        }
        if !matches!(outcome, Outcome::Unavailable { .. } | Outcome::Ambiguous { .. }) {
            self.row = Row::default();
        }
    }

    /// The provider failed, or did not answer.
    fn failed(&mut self, seen: &Seen<'_>) {
        if self.round.is_none_or(|first| seen.started > first) {
            self.round = Some(seen.now);
            self.row.rounds += 1;
            self.counted.failed_rounds += 1;
        }
        self.row.devices.insert(seen.device.clone());
        self.counted.failed += 1;
    }

    fn fault(&self, outcome: &Outcome) -> Option<Fault> {
        let Self { counted, row, .. } = self;
        match outcome {
            Outcome::Unregistered { .. } if counted.is_unbelievable() && counted.sends >= AT_LEAST => {
                Some(Fault::DeadTokens)
            }
            Outcome::Rejected { listed: false, .. } if counted.sends >= AT_LEAST => {
                above(counted.unlisted, counted.sends, UNBELIEVABLE).then_some(Fault::Unlisted)
            }
            Outcome::Unavailable { .. } | Outcome::Ambiguous { .. } => {
                let in_a_row = row.devices.len() >= IN_A_ROW && row.rounds >= ROUNDS_IN_A_ROW;
                let share = counted.sends >= AT_LEAST && counted.failed_rounds >= ROUNDS_OF_SHARE;
                (in_a_row || (share && above(counted.failed, counted.sends, FAILING))).then_some(Fault::Away)
            }
            _ => None,
        }
    }

    /// Whether the verdicts against tokens so far can be true.
    pub fn believes(&self) -> bool {
        !self.counted.is_unbelievable()
    }
}

impl Counted {
    fn new(since: Instant) -> Self {
        Self { since, sends: 0, failed: 0, failed_rounds: 0, dead: 0, unlisted: 0 }
    }

    fn is_unbelievable(&self) -> bool {
        above(self.dead, self.sends, UNBELIEVABLE)
    }
}

fn above(part: u32, of: u32, percent: u32) -> bool {
    u64::from(part) * 100 > u64::from(of) * u64::from(percent)
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;

//! The pace of a drain: when it claims, and when it has ended.
//!
//! A full claim is followed by the next as soon as there is room. A short batch is not an idle queue: the next claim
//! follows a finish that released a head, else [`RECLAIM_LONGEST`]; an empty one, while sends are in flight, is tried
//! again after [`RECLAIM_FIRST`], doubling. With nothing in flight one more claim decides whether the drain is over,
//! so that one send to an idle system costs two claims.

use std::time::Duration;

use pushwake::limits::{CLAIM_ATTEMPTS, CLAIM_RETRY, RECLAIM_FIRST, RECLAIM_LONGEST};
use tokio::time::Instant;

/// Claims in a row that fail before the database counts as away: the first may have met the dead connection of a
/// restarted server, the next has waited for a new one.
const CLAIM_FAILURES: u32 = 2;
/// Pause before a failed claim is tried again, growing with the failures.
const FAILURE_PAUSE: Duration = Duration::from_millis(250);

/// Why a drain ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is claimable and nothing is in flight.
    Idle,
    /// Its time to claim is over.
    Budget,
    /// Its attempts to claim past other revisions and locks are spent.
    Yielded,
    /// Postgres did not answer its claims.
    Database,
}

impl Ended {
    /// As in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Budget => "budget",
            Self::Yielded => "yielded",
            Self::Database => "database",
        }
    }
}

/// What a claim came to, as far as the next one needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// As many as asked for.
    Full,
    /// Fewer.
    Short,
    /// None is due.
    Empty,
    /// Another revision or locks stood in the way.
    InTheWay,
    /// Postgres did not answer.
    Failed,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Claim, if there is room.
    Claim,
    /// Not before then, unless something happens.
    At(Instant),
    /// No more claims.
    Over(Ended),
}

/// See the module.
#[derive(Debug)]
pub struct Pace {
    budget_ends: Instant,
    due: Instant,
    /// A claim that was refused or failed is not repeated before, whatever else happens.
    not_before: Instant,
    backoff: Duration,
    in_the_way: usize,
    failures: u32,
    /// The last claim was empty, and nothing has happened since.
    drained: bool,
    ended: Option<Ended>,
}

impl Pace {
    /// A drain that starts now and claims until `budget_ends`.
    pub fn new(now: Instant, budget_ends: Instant) -> Self {
        Self {
            budget_ends,
            due: now,
            not_before: now,
            backoff: RECLAIM_FIRST,
            in_the_way: 0,
            failures: 0,
            drained: false,
            ended: None,
        }
    }

    /// Whether to claim. `busy`: something is in flight or not finished yet.
    pub fn turn(&mut self, busy: bool, now: Instant) -> Turn {
        if self.ended.is_none() && now >= self.budget_ends {
            self.ended = Some(Ended::Budget);
        }
        if let Some(ended) = self.ended {
            return Turn::Over(ended);
        }
        // These two are over again as soon as something is in flight: a probe, or a finish that got through.
        if !busy && self.drained {
            return Turn::Over(Ended::Idle);
        }
        if !busy && self.failures >= CLAIM_FAILURES {
            return Turn::Over(Ended::Database);
        }
        let at = if busy { self.due.max(self.not_before) } else { self.not_before };
        if now >= at { Turn::Claim } else { Turn::At(at.min(self.budget_ends)) }
    }

    /// A claim was answered.
    pub fn claimed(&mut self, came: Came, busy: bool, now: Instant) {
        self.drained = came == Came::Empty;
        match came {
            Came::Full | Came::Short => self.backoff = RECLAIM_FIRST,
            Came::InTheWay if !busy => self.in_the_way += 1,
            Came::Failed => self.failures += 1,
            Came::Empty | Came::InTheWay => {}
        }
        if !matches!(came, Came::Failed) {
            self.failures = 0;
        }
        if matches!(came, Came::Full | Came::Short | Came::Empty) {
            self.in_the_way = 0;
        }
        match came {
            Came::Full => self.due = now,
            Came::Short => self.due = now + RECLAIM_LONGEST,
            Came::Empty => {
                self.due = now + self.backoff;
                self.backoff = (self.backoff * 2).min(RECLAIM_LONGEST);
            }
            Came::InTheWay => self.hold(now, jittered(CLAIM_RETRY)),
            Came::Failed => self.hold(now, FAILURE_PAUSE * self.failures),
        }
        if self.in_the_way >= CLAIM_ATTEMPTS {
            self.ended = Some(Ended::Yielded);
        }
    }

    /// A finish was done. `released`: its lane has another head that is due.
    pub fn finished(&mut self, released: bool, now: Instant) {
        self.drained = false;
        if released {
            self.due = now;
        }
    }

    /// No claim for `pause`: the database has just failed something else.
    pub fn hold(&mut self, now: Instant, pause: Duration) {
        self.not_before = now + pause;
        self.due = self.not_before;
    }
}

/// Half to three halves: drains that gave way together come back apart.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::random_range(0.5..1.5))
}

#[cfg(test)]
#[path = "pace_tests.rs"]
mod tests;

//! The window: what is in flight, and what has its outcome and waits for its finish.

mod aside;
mod doubt;

use std::collections::HashMap;

use pushwake::limits::{FINISH_AFTER, FINISH_AFTER_FULL, SKIPPED_RETRY, SKIPS_BEFORE_WAIT};
use tokio::task::Id;
use tokio::time::Instant;

use crate::attempt::{Attempt, Unfinished};

/// How often the pause doubles after a lane was waited for in vain: such a wait keeps the one connection of claims
/// and finishes busy.
const LONGEST_DOUBLING: u32 = 3;

/// See the module. An answered head is out of the window, so that one stuck lane never costs a place; how many may
/// wait for their finish is bounded by as many places again.
#[derive(Debug)]
pub struct Window {
    places: usize,
    sending: HashMap<Id, Attempt>,
    unfinished: Vec<Unfinished>,
    /// Heads of the finish that is under way.
    finishing: usize,
    peak: usize,
    /// Since when there has been no room.
    stuck: Option<Instant>,
}

/// Outcomes that are to be finished now.
#[derive(Debug)]
pub enum Flush {
    /// In one transaction.
    Together(Vec<Unfinished>),
    /// This one was skipped too often: its lane is waited for.
    Alone(Box<Unfinished>),
}

impl Window {
    /// A window of `places` sends.
    pub fn new(places: usize) -> Self {
        Self { places, sending: HashMap::new(), unfinished: Vec::new(), finishing: 0, peak: 0, stuck: None }
    }

    /// A send has started.
    pub fn sending(&mut self, id: Id, attempt: Attempt) {
        self.sending.insert(id, attempt);
        self.peak = self.peak.max(self.sending.len());
    }

    /// A send is over; its place is free.
    pub fn answered(&mut self, id: Id) -> Option<Attempt> {
        self.sending.remove(&id)
    }

    /// An outcome is known, and is kept until its finish is done or lost.
    pub fn keep(&mut self, unfinished: Unfinished) {
        self.unfinished.push(unfinished);
    }

    /// The finish under way has come back.
    pub fn finish_over(&mut self) {
        self.finishing = 0;
    }

    /// Free places.
    pub fn free(&self) -> usize {
        let held = self.sending.len() + self.unfinished.len() + self.finishing;
        self.places.saturating_sub(self.sending.len()).min((2 * self.places).saturating_sub(held))
    }

    /// Whether enough is free for a claim: a quarter, or everything.
    pub fn has_room(&self) -> bool {
        self.free() >= self.quarter() || (self.sending.is_empty() && self.free() > 0)
    }

    /// Whether every send has been answered.
    pub fn is_answered(&self) -> bool {
        self.sending.is_empty()
    }

    /// Whether no place is free.
    pub fn is_full(&self) -> bool {
        self.sending.len() >= self.places
    }

    /// Whether anything is in flight or unfinished.
    pub fn is_busy(&self) -> bool {
        !self.sending.is_empty() || !self.unfinished.is_empty() || self.finishing > 0
    }

    /// The most sends that were in flight at once.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// What is left at the end: nothing, unless Postgres could not be reached or a lane stayed locked.
    pub fn into_unfinished(self) -> Vec<Unfinished> {
        self.unfinished
    }

    fn quarter(&self) -> usize {
        self.places.div_ceil(4)
    }

    /// When the next outcome is to be finished: at once if it is a quarter of the window or nothing else is in
    /// flight, else when the oldest has waited; longer, where more is due than there is room for.
    pub fn finish_at(&self, more_is_due: bool, now: Instant) -> Option<Instant> {
        let together = self.unfinished.iter().filter(|one| !one.alone());
        let fresh = together.clone().filter(|one| one.not_before <= now).count();
        let wait = if more_is_due && !self.has_room() { FINISH_AFTER_FULL } else { FINISH_AFTER };
        let oldest = together.map(|one| one.not_before.max(one.known + wait)).min()?;
        let now_is_better = fresh >= self.quarter() || (fresh > 0 && self.sending.is_empty());
        Some(if now_is_better { now } else { oldest })
    }

    /// When the next lane is to be waited for.
    pub fn wait_at(&self) -> Option<Instant> {
        self.unfinished.iter().filter(|one| one.alone()).map(|one| one.not_before).min()
    }

    /// Everything that may be finished together now.
    pub fn take_together(&mut self, now: Instant) -> Flush {
        let (taken, kept) =
            std::mem::take(&mut self.unfinished).into_iter().partition(|one| !one.alone() && one.not_before <= now);
        self.unfinished = kept;
        let mut taken: Vec<Unfinished> = taken;
        for one in &mut taken {
            one.doubt = None;
        }
        self.finishing = taken.len();
        Flush::Together(taken)
    }

    /// The lane that has waited longest to be waited for.
    pub fn take_alone(&mut self) -> Option<Flush> {
        let alone = self.unfinished.iter().enumerate().filter(|(_, one)| one.alone());
        let (place, _) = alone.min_by_key(|(_, one)| one.not_before)?;
        self.finishing = 1;
        Some(Flush::Alone(Box::new(self.unfinished.swap_remove(place))))
    }
}

impl Unfinished {
    fn alone(&self) -> bool {
        self.skips >= SKIPS_BEFORE_WAIT
    }

    /// Its lane was locked: again later. After three times it is waited for alone, at once and then less often.
    pub fn skipped(&mut self, now: Instant) {
        self.skips += 1;
        self.not_before = match self.skips.checked_sub(SKIPS_BEFORE_WAIT) {
            None => now + SKIPPED_RETRY,
            Some(0) => now,
            Some(waits) => now + SKIPPED_RETRY * (1 << (waits - 1).min(LONGEST_DOUBLING)),
        };
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;

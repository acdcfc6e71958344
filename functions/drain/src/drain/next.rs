//! What a drain does next, when no statement is under way.

use std::time::Duration;

use tokio::time::Instant;

use super::Running;
use super::statement::{self, Of, Pending};
use crate::pace::{Came, Ended, Turn};
use crate::policy::Verdict;

/// When the next drain may try a probe that this one gave back.
pub(super) const PROBE_AGAIN: Duration = Duration::from_secs(1);

/// See the module.
pub enum Move {
    /// Start this statement.
    Start(Pending),
    /// Nothing before then, unless a send is answered.
    Wait(Instant),
    /// It is over.
    End(Ended),
}

impl Running<'_> {
    /// Finishes come first, since they free lanes and decide what the claim behind them finds; then what they say
    /// about whole apps; then claims. A lane that is waited for alone comes last: the others must not wait for it.
    pub(super) fn next(&mut self, now: Instant) -> Move {
        self.window.look(now);
        let turn = self.turn(now);
        if now >= self.ends {
            return Move::End(if let Turn::Over(ended) = turn { ended } else { Ended::Budget });
        }
        if let Some(statement) = self.finish_or_settle(now) {
            return Move::Start(statement);
        }
        if let Some(statement) = self.claim_or_ask(turn, now) {
            return Move::Start(statement);
        }
        if self.window.wait_at().is_some_and(|at| at <= now)
            && let Some(flush) = self.window.take_alone()
        {
            return Move::Start(statement::finish(self.drain.queue.clone(), flush));
        }
        match turn {
            Turn::Over(Ended::Database) if !self.window.is_busy() => Move::End(Ended::Database),
            Turn::Over(ended) if !self.window.is_busy() && self.settle.is_empty() => Move::End(ended),
            turn => Move::Wait(self.wake_up_at(turn)),
        }
    }

    fn turn(&mut self, now: Instant) -> Turn {
        let turn = self.pace.turn(self.window.is_busy(), now);
        // A drain whose every app fails has nothing to claim, and needs no statement to know it.
        if turn == Turn::Claim && !self.pauses.any_claimable() {
            self.pace.claimed(Came::Empty, self.window.is_busy(), now);
            return self.pace.turn(self.window.is_busy(), now);
        }
        turn
    }

    fn finish_or_settle(&mut self, now: Instant) -> Option<Pending> {
        let queue = self.drain.queue.clone();
        if self.window.is_answered() && !self.last_claim_full {
            self.window.believe_all();
        }
        if self.window.finish_at(self.last_claim_full, now).is_some_and(|at| at <= now) {
            return Some(statement::finish(queue, self.window.take_together(now)));
        }
        let settle = !self.settle.is_empty() && self.settle_at <= now;
        settle.then(|| statement::settle(queue, std::mem::take(&mut self.settle)))
    }

    fn claim_or_ask(&mut self, turn: Turn, now: Instant) -> Option<Pending> {
        let queue = self.drain.queue.clone();
        if let Turn::Over(Ended::Budget | Ended::Yielded | Ended::Database) = turn {
            while let Some((app, _)) = self.pauses.probe() {
                self.settle.verdict(app, Verdict::GiveBack);
                // Nobody else wakes for it.
                self.dues.add(now + PROBE_AGAIN);
            }
            return None;
        }
        let free = self.window.free();
        if free > 0
            && let Some((app, reason)) = self.pauses.probe()
        {
            self.claims += 1;
            let apps = vec![app.clone()];
            return Some(statement::claim(queue, Of::Probe { app, reason }, apps, 1, self.claims));
        }
        if turn == Turn::Claim && self.window.has_room() {
            self.claims += 1;
            return Some(statement::claim(queue, Of::All, self.pauses.claimable(), free, self.claims));
        }
        if turn == Turn::Claim
            && let Some((apps, n)) = self.window.aside(&self.pauses.claimable(), now)
        {
            self.claims += 1;
            return Some(statement::claim(queue, Of::Aside, apps, n, self.claims));
        }
        if free > 0 && self.failures == 0 && self.pauses.ask_at().is_some_and(|at| at <= now) {
            let apps = self.pauses.ask(now);
            return (!apps.is_empty()).then(|| statement::take_probes(queue, apps));
        }
        None
    }

    /// The next moment at which something is to be done by itself.
    fn wake_up_at(&self, turn: Turn) -> Instant {
        let claim = match turn {
            Turn::At(at) if self.window.has_room() => Some(at),
            Turn::At(at) => self.window.aside_at(&self.pauses.claimable()).map(|aside| aside.max(at)),
            // Past: there is no place aside, either, before a send is answered.
            Turn::Claim => self.window.aside_at(&self.pauses.claimable()).filter(|at| *at > Instant::now()),
            Turn::Over(_) => None,
        };
        let ask = match turn {
            Turn::Over(_) => None,
            _ if self.window.free() == 0 || self.failures > 0 => None,
            _ => self.pauses.ask_at(),
        };
        let settle = (!self.settle.is_empty()).then_some(self.settle_at);
        let finish = self.window.finish_at(self.last_claim_full, Instant::now());
        [claim, ask, settle, finish, self.window.wait_at()].into_iter().flatten().fold(self.ends, Instant::min)
    }
}

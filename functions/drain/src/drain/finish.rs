//! A finish was answered. An outcome is kept until its finish is done or its lane is lost: whatever fails here, only
//! the finish is tried again, never the send.

use std::time::Duration;

use pushwake::function::metric::Metric;
use pushwake::queue::{Finished, QueueError, Step};
use tokio::time::Instant;

use super::Running;
use super::next::PROBE_AGAIN;
use crate::attempt::Unfinished;
use crate::policy::Verdict;
use crate::settle::Settled;

/// Pause after a statement failed, growing with the failures in a row.
const FAILURE_PAUSE: Duration = Duration::from_millis(100);
/// The longest such pause.
const LONGEST_FAILURE_PAUSE: Duration = Duration::from_secs(1);

impl Running<'_> {
    pub(super) fn on_finish(&mut self, batch: Vec<Unfinished>, finished: Result<Vec<Finished>, QueueError>) {
        self.window.finish_over();
        let now = Instant::now();
        match finished {
            Ok(finished) => {
                self.failures = 0;
                for (one, finished) in batch.into_iter().zip(finished) {
                    self.finished(one, finished, now);
                }
            }
            Err(error) => {
                self.counts.add(Metric::FinishRetried, batch.len() as u64);
                let again = now + self.failed("a finish", error);
                for one in batch {
                    self.window.keep(Unfinished { unsure: true, not_before: again, ..one });
                }
            }
        }
    }

    fn finished(&mut self, mut one: Unfinished, finished: Finished, now: Instant) {
        let lease = &one.finish.lease;
        match finished {
            Finished::Skipped => {
                self.counts.one(Metric::FinishRetried);
                one.skipped(now);
                self.window.keep(one);
            }
            Finished::Done { released, also_expired, dismissed } => {
                self.counts.add(Metric::Expired, also_expired.into());
                self.measures.outcome(&lease.app, Metric::Expired, also_expired.into());
                if dismissed {
                    one.counts_as = Some(Metric::Dismissed);
                }
                self.over(one, released, now);
            }
            // The answer of an earlier finish was lost. Under a lease that nobody else can have taken since, only that
            // finish can have ended it: it had committed.
            Finished::Lost if one.unsure && self.leases.is_ours(lease, now) => self.over(one, true, now),
            Finished::Lost => {
                self.counts.one(Metric::LeaseLost);
                tracing::warn!(app = lease.app.as_str(), "a lease was lost before its finish; the lane is another's");
                one.counts_as = None;
                self.over(one, false, now);
            }
        }
    }

    /// Nothing is left to do for this head.
    fn over(&mut self, one: Unfinished, released: bool, now: Instant) {
        self.leases.let_go(&one.finish.lease);
        if let Some(metric) = one.counts_as {
            self.counts.one(metric);
            self.measures.outcome(&one.finish.lease.app, metric, 1);
            self.progress = true;
        }
        let mut released = released;
        let after = match one.finish.step {
            Step::Retry { after, .. } | Step::Release { after } => after,
            Step::Complete | Step::Discard | Step::Expire => Duration::ZERO,
        };
        // Measured from the answer, so never before the database's own reckoning from the statement.
        match after.max(one.finish.rest.unwrap_or_default()) {
            Duration::ZERO => released |= matches!(one.finish.step, Step::Release { .. }),
            due => self.dues.add(now + due),
        }
        self.pace.finished(released, now);
        self.settle.dead.extend(one.dead);
        if let Some(verdict) = one.verdict {
            if verdict == Verdict::GiveBack {
                // Nobody else wakes for it.
                self.dues.add(now + PROBE_AGAIN);
            }
            self.settle.verdict(one.finish.lease.app, verdict);
        }
    }

    pub(super) fn on_settled(&mut self, settled: Settled) {
        let now = Instant::now();
        self.feedback += settled.feedback;
        for (app, pause) in settled.paused {
            self.counts.one(Metric::Paused);
            self.pauses.probe_over(&app);
            self.pauses.paused(&app, now + pause);
            self.dues.add(now + pause);
        }
        for app in settled.probes_over {
            self.pauses.probe_over(&app);
        }
        if settled.resumed {
            // What waited behind the pause is claimable now.
            self.pace.finished(true, now);
        }
        if !settled.left.is_empty() {
            self.settle.dead.extend(settled.left.dead);
            settled.left.verdicts.into_iter().for_each(|(app, verdict)| self.settle.verdict(app, verdict));
        }
        if let Some(error) = settled.error {
            self.settle_at = now + self.failed("a verdict", error);
        }
    }

    /// A statement failed. The answer is how long to leave the database alone.
    pub(super) fn failed(&mut self, step: &'static str, error: QueueError) -> Duration {
        self.failures += 1;
        let pause = (FAILURE_PAUSE * self.failures).min(LONGEST_FAILURE_PAUSE);
        self.pace.hold(Instant::now(), pause);
        tracing::warn!(step, %error, failures = self.failures, "the database failed; tried again");
        self.error = Some(error);
        pause
    }
}

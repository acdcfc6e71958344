//! The end of a drain: join what was started, post the wakes, and say how it went.

use std::time::Duration;

use pushwake::contract::AppId;
use pushwake::function::metric::{Counts, Metric};
use pushwake::queue::QueueError;
use pushwake::wake::{Posted, Wake};
use tokio::time::Instant;

use super::{Invocation, Running};
use crate::measures::Measures;
use crate::pace::Ended;
use crate::wakes::{Ending, at_the_end};
use crate::window::Window;

/// How a drain went.
#[derive(Debug)]
pub struct Summary {
    /// The invocation.
    pub invocation: Invocation,
    /// Why it ended.
    pub ended: Ended,
    /// Claims made.
    pub claims: u32,
    /// Claims that found nothing due.
    pub empty_claims: u64,
    /// Statements sent on both connections.
    pub statements: u64,
    /// The most sends in flight at once.
    pub in_flight_peak: usize,
    /// Outcomes whose finish did not succeed.
    pub unfinished: usize,
    /// What was counted.
    pub counts: Counts,
    /// What was measured besides, of each app.
    pub(crate) measures: Measures,
    /// What it has written for the feedback queue, which is not posted yet.
    pub feedback: usize,
    /// The wakes it wanted, with their delays. How many were posted is counted.
    pub wakes: Vec<(Wake, Duration)>,
}

/// Why the platform should deliver the wake again.
#[derive(Debug, thiserror::Error)]
pub enum DrainError {
    /// Nothing was claimed.
    #[error("{0}. Nothing is lost: the wake comes again, and what is due stays due")]
    Database(QueueError),
    /// Outcomes are known whose finish did not reach Postgres: at most one more send each.
    #[error("{unfinished} outcomes could not be finished before the time was over: {error}")]
    Unfinished {
        /// How many.
        unfinished: usize,
        /// What the last statement said.
        error: QueueError,
    },
    /// The function's time-out is too short for one send and its finish.
    #[error("{0:?} until the time-out is too short for one send and its finish; set the function's time-out to 45 s")]
    NoTime(Duration),
}

impl Running<'_> {
    pub(super) async fn end(mut self, ended: Ended) -> (Summary, Option<DrainError>) {
        // None is left unless the time is over: a provider that does not end its sends, against its contract.
        self.sends.shutdown().await;
        let left = ended == Ended::Budget && self.is_work_left().await;
        let in_flight_peak = self.window.peak();
        let window = std::mem::replace(&mut self.window, Window::new(0));
        let unfinished = window.into_unfinished();
        let now = Instant::now();
        for one in &unfinished {
            self.dues.add(now + self.leases.ends_in(&one.finish.lease, now));
        }
        let wake = self.invocation.wake;
        let ending = Ending { wake, ended, left, progress: self.progress, dues: &self.dues };
        let wakes = at_the_end(&ending, now);
        self.post(&wakes).await;
        let error = self.error_of(ended, unfinished.len());
        if error.is_none() && !unfinished.is_empty() {
            tracing::error!(
                unfinished = unfinished.len(),
                "lanes stayed locked until the end; look for a stuck transaction"
            );
        }
        let summary = Summary {
            invocation: self.invocation,
            ended,
            claims: self.claims,
            empty_claims: self.empty_claims,
            statements: 0,
            in_flight_peak,
            unfinished: unfinished.len(),
            counts: self.counts,
            measures: self.measures,
            feedback: self.feedback,
            wakes,
        };
        (summary, error)
    }

    /// A database that does not answer is taken to hold what the last claim left behind; nor is it asked when the
    /// time is over.
    async fn is_work_left(&self) -> bool {
        if self.failures > 0 || Instant::now() >= self.ends {
            return self.last_claim_full;
        }
        let apps: Vec<AppId> = self.pauses.claimable();
        match self.drain.queue.backlog(Some(&apps)).await {
            Ok(backlog) => backlog.due > 0,
            Err(_) => self.last_claim_full,
        }
    }

    fn error_of(&mut self, ended: Ended, unfinished: usize) -> Option<DrainError> {
        match self.error.take() {
            Some(error) if unfinished > 0 => Some(DrainError::Unfinished { unfinished, error }),
            // At the end of the budget too: nobody knows what is left, and no wake was posted for it.
            Some(error) if ended == Ended::Database || (ended == Ended::Budget && self.failures > 0) => {
                Some(DrainError::Database(error))
            }
            _ => None,
        }
    }

    /// A wake that can't be posted is repaired by schedule.
    async fn post(&mut self, wakes: &[(Wake, Duration)]) {
        for (wake, delay) in wakes.iter().copied() {
            let queue = self.drain.wakes.clone();
            self.posts.spawn(async move { queue.post(wake, delay).await });
        }
        while let Some(posted) = self.posts.join_next().await {
            match posted {
                Ok(Ok(Posted::Sent)) => self.counts.one(Metric::WakePosted),
                Ok(Ok(Posted::Capped)) => self.counts.one(Metric::WakeCapped),
                Ok(Err(error)) => {
                    self.counts.one(Metric::WakeFailed);
                    tracing::warn!(%error, "a wake was not posted; schedule will");
                }
                Err(_) => self.counts.one(Metric::WakeFailed),
            }
        }
    }
}

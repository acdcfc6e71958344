//! Tops the wakes up.

use std::time::Duration;

use pushwake::limits;
use pushwake::queue::{Backlog, Queue, QueueError};
use pushwake::wake::{Posted, Wake, WakeError, WakeQueue, Why};
use serde::Serialize;
use tokio::task::JoinSet;

/// What a top-up found and did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToppedUp {
    /// Due lanes, counted only as far as they matter.
    pub due: usize,
    /// How long the oldest of them has been due.
    pub oldest_seconds: u64,
    /// Wakes posted, the delayed one included.
    pub wake_posted: usize,
    /// One of them is for what falls due before the next run.
    pub delayed: bool,
}

/// Why a top-up failed. The next run, a minute later, repairs what this one missed.
#[derive(Debug, thiserror::Error)]
pub enum TopUpError {
    /// The backlog could not be read.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// Some of the wakes were not posted.
    #[error("{failed} of {wakes} wakes failed: {error}")]
    Wake {
        /// How many.
        failed: usize,
        /// Of how many.
        wakes: usize,
        /// The first failure.
        #[source]
        error: WakeError,
    },
}

/// Reads the backlog and posts the wakes it calls for, all at once: within [`WAKE_POST`](limits::WAKE_POST).
pub async fn top_up(queue: &Queue, wakes: &WakeQueue) -> Result<ToppedUp, TopUpError> {
    let backlog = queue.backlog(None).await?;
    let delays = delays(&backlog);
    let mut posts = JoinSet::new();
    for delay in delays.iter().copied() {
        let wakes = wakes.clone();
        posts.spawn(async move { wakes.post(Wake::first(Why::TopUp), delay).await });
    }
    let mut failures = Vec::new();
    for posted in posts.join_all().await {
        match posted {
            Ok(Posted::Sent | Posted::Capped) => {}
            Err(error) => failures.push(error),
        }
    }
    let failed = failures.len();
    if let Some(error) = failures.into_iter().next() {
        return Err(TopUpError::Wake { failed, wakes: delays.len(), error });
    }
    Ok(ToppedUp {
        due: backlog.due,
        oldest_seconds: backlog.oldest.as_secs(),
        wake_posted: delays.len(),
        delayed: delays.last().is_some_and(|delay| !delay.is_zero()),
    })
}

/// One wake for each due lane and one, delayed, for the first that falls due before the next run; at most one per
/// drain in all. A drain posts the delayed wake itself when it ends, so a full set needs none.
fn delays(backlog: &Backlog) -> Vec<Duration> {
    let soon = backlog.next.filter(|next| *next <= limits::SCHEDULE_EVERY);
    // Never zero: it is not due yet.
    let soon = soon.map(|next| next.max(Duration::from_millis(1)));
    std::iter::repeat_n(Duration::ZERO, backlog.due).chain(soon).take(limits::DRAINS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wakes(due: usize, next: Option<u64>) -> (usize, bool) {
        let next = next.map(Duration::from_secs);
        let delays = delays(&Backlog { due, oldest: Duration::ZERO, next });
        (delays.len(), delays.last().is_some_and(|delay| !delay.is_zero()))
    }

    #[test]
    fn due_lanes_get_a_wake_each_up_to_one_per_drain() {
        assert_eq!(wakes(0, None), (0, false));
        assert_eq!(wakes(3, None), (3, false));
        assert_eq!(wakes(limits::DRAINS, None), (limits::DRAINS, false));
        assert_eq!(wakes(3 * limits::DRAINS, Some(5)), (limits::DRAINS, false));
    }

    #[test]
    fn what_falls_due_before_the_next_run_gets_a_delayed_wake() {
        assert_eq!(wakes(0, Some(0)), (1, true));
        assert_eq!(wakes(0, Some(60)), (1, true));
        assert_eq!(wakes(2, Some(16)), (3, true));
        assert_eq!(wakes(0, Some(61)), (0, false));
    }
}

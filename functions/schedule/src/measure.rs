//! The metrics of a minute. Zeros are written too: a state that is not told is not known to be good.

use std::time::Duration;

use pushwake::function::metric::{Line, Metric, Metrics};
use pushwake::queue::{MeasuredApp, Pruned, Queue, QueueError};

use crate::top_up::{TopUpError, ToppedUp};

/// What the run itself did, however it went.
#[derive(Clone, Copy)]
pub(crate) struct Done<'a> {
    /// What the prune did, unless it failed.
    pub pruned: Option<&'a Pruned>,
    /// What became of the top-up, unless the run ended before it.
    pub wakes: Option<&'a Result<ToppedUp, TopUpError>>,
}

/// Looks, and writes the metrics. What can't be measured is left out and is no failure of the run: the others are what
/// an operator needs then.
pub(crate) async fn measure(queue: &Queue, metrics: &Metrics, done: Done<'_>) {
    if !metrics.is_on() {
        return;
    }
    let mut of_all = done.line(metrics.cold_start());
    if let Some(age) = measured(queue.measure_snapshot().await) {
        of_all.one(Metric::OldestSnapshotAge, age.as_secs());
    }
    if let Some(dead) = measured(queue.measure_tuples().await) {
        of_all.one(Metric::DeadTuples, dead);
    }
    let apps = measured(queue.measure_apps().await);
    if let Some(apps) = &apps {
        let unpaused = apps.iter().filter(|app| !app.paused).map(|app| app.oldest_due);
        of_all.one(Metric::OldestDueAge, unpaused.max().unwrap_or(Duration::ZERO).as_secs());
        of_all.one(Metric::PausedApps, apps.iter().filter(|app| app.paused).count() as u64);
    }
    let of_apps = apps.iter().flatten().map(line_of);
    metrics.write(std::iter::once(of_all).chain(of_apps));
}

fn measured<T>(measured: Result<T, QueueError>) -> Option<T> {
    measured.inspect_err(|error| tracing::warn!(%error, "a metric is missing")).ok()
}

fn line_of(app: &MeasuredApp) -> Line {
    let mut line = Line::of(&app.app);
    line.one(Metric::OldestDueAge, app.oldest_due.as_secs());
    line.one(Metric::AppPaused, app.paused.into());
    line
}

impl Done<'_> {
    /// What needs no look.
    pub(crate) fn line(self, cold_start: bool) -> Line {
        let mut line = Line::new();
        line.nonzero(Metric::ColdStarts, cold_start.into());
        // A prune that failed has not got to its end either.
        line.one(Metric::PruneSaturated, self.pruned.is_none_or(|pruned| pruned.saturated).into());
        line.nonzero(Metric::Expired, self.pruned.map_or(0, |pruned| pruned.expired));
        let (posted, failed) = match self.wakes {
            Some(Ok(wakes)) => (wakes.wake_posted, 0),
            Some(Err(TopUpError::Wake { failed, wakes, .. })) => (wakes - failed, *failed),
            Some(Err(TopUpError::Queue(_))) | None => (0, 0),
        };
        line.one(Metric::WakePosted, posted as u64);
        line.one(Metric::WakeFailed, failed as u64);
        line
    }
}

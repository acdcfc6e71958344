//! Runs schedule every minute, as its trigger on AWS does: on time, whether the last run has ended or not.

use std::time::Duration;

use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::runtime_api::Function;

/// Ends when it is dropped.
pub(super) struct Minutes(AbortHandle);

impl Minutes {
    pub(super) fn start(schedule: Function, every: Duration) -> Self {
        let ticking = tokio::spawn(async move {
            let mut ticks = interval_at(Instant::now() + every, every);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
            let mut runs = JoinSet::new();
            loop {
                ticks.tick().await;
                while runs.try_join_next().is_some() {}
                let schedule = schedule.clone();
                // What becomes of a run stands in the function's counts and in what it wrote.
                runs.spawn(async move { schedule.invoke("{}").await });
            }
        });
        Self(ticking.abort_handle())
    }
}

impl Drop for Minutes {
    fn drop(&mut self) {
        self.0.abort();
    }
}

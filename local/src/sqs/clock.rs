//! The endpoint's clock: monotonic, and movable, so that no test waits for a visibility of 270 s.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::time::{self, Instant};

pub(super) struct Clock {
    started: Instant,
    started_at: SystemTime,
    ahead: Mutex<Duration>,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), started_at: SystemTime::now(), ahead: Mutex::default() }
    }

    pub(super) fn now(&self) -> Instant {
        Instant::now() + self.ahead()
    }

    /// Moves the clock forward. Whoever sleeps in [`Clock::sleep_until`] has to be woken by the caller.
    pub(super) fn advance(&self, by: Duration) {
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }

    pub(super) async fn sleep_until(&self, instant: Instant) {
        time::sleep(instant.saturating_duration_since(self.now())).await;
    }

    /// Milliseconds since the epoch, as SQS's time stamps say it. A step of the machine's clock doesn't show.
    pub(super) fn epoch_millis(&self, instant: Instant) -> u64 {
        let at = self.started_at + instant.saturating_duration_since(self.started);
        at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
    }

    fn ahead(&self) -> Duration {
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

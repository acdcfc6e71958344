//! Asynchronous invocations: accepted at once, tried again when the function fails.
//!
//! As Lambda does by default: a function error is followed by up to two more attempts, and a throttled attempt does not
//! count. The waits are shorter than Lambda's (a minute, then two), so that somebody who develops sees the end of it, and
//! what fails a third time is said on standard error.

use std::time::Duration;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use crate::runtime_api::{Function, Invocation};

/// Before the second and the third attempt.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// Between attempts that find every instance busy, and how many of those there are before the event is dropped.
const BUSY: Duration = Duration::from_millis(500);
const BUSY_AT_MOST: u32 = 600;

/// One asynchronous invocation.
pub(super) struct Call {
    pub(super) function: Function,
    pub(super) payload: Bytes,
    pub(super) trace: String,
    pub(super) id: String,
}

impl Call {
    /// Starts it. Attempts that have not begun are given up once `closing` is cancelled.
    pub(super) fn start(self, closing: CancellationToken) {
        tokio::spawn(async move { closing.run_until_cancelled(self.run()).await });
    }

    async fn run(self) {
        let mut failed = self.attempt().await;
        for wait in WAITS {
            if failed.is_none() {
                return;
            }
            tokio::time::sleep(wait).await;
            failed = self.attempt().await;
        }
        if let Some(failed) = failed {
            eprintln!("{} failed asynchronously and is given up, request {}: {failed}", self.function.name(), self.id);
        }
    }

    /// How it failed, if it did.
    async fn attempt(&self) -> Option<Invocation> {
        for _ in 0..BUSY_AT_MOST {
            let invocation = self.function.invoke_as(&self.id, self.payload.clone(), self.trace.clone()).await;
            match invocation {
                Invocation::Ok(_) => return None,
                Invocation::Throttled => tokio::time::sleep(BUSY).await,
                failed => return Some(failed),
            }
        }
        Some(Invocation::Throttled)
    }
}

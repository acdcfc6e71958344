//! The renewer: keeps the leases of whatever is in flight or waits for its finish.
//!
//! It has a connection of its own, which claims and finishes can't occupy. A lease is renewed when it is
//! [`RENEW_EVERY`] old, together with every other that is half as old: most sends are over by then and cost no
//! renewal at all.

use std::time::Duration;

use pushwake::limits::{RENEW_EVERY, SKIPPED_RETRY};
use pushwake::queue::{Queue, Renewal};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::leases::Leases;

/// The longest sleep: a lease that is taken meanwhile is seen in time.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Renews until `stop`. A renewal that has begun is always waited for, so that no statement is cancelled.
pub async fn renew_until(stop: CancellationToken, queue: Queue, leases: Leases) {
    let mut pause = LOOK_EVERY;
    while stop.run_until_cancelled(sleep(pause)).await.is_some() {
        let now = Instant::now();
        if leases.oldest(now).is_some_and(|age| age >= RENEW_EVERY) {
            renew(&queue, &leases, now).await;
        }
        pause = until_next(leases.oldest(Instant::now()));
    }
}

/// What was skipped or failed is still due, and is tried again soon.
fn until_next(oldest: Option<Duration>) -> Duration {
    let due = oldest.map_or(LOOK_EVERY, |age| RENEW_EVERY.saturating_sub(age));
    if due.is_zero() { SKIPPED_RETRY } else { due.min(LOOK_EVERY) }
}

async fn renew(queue: &Queue, leases: &Leases, sent: Instant) {
    let batch = leases.aged(RENEW_EVERY / 2, sent);
    match queue.renew(&batch).await {
        Ok(answers) => {
            for (lease, answer) in batch.iter().zip(answers) {
                match answer {
                    Renewal::Renewed => leases.renewed(lease, sent),
                    Renewal::Skipped => {}
                    Renewal::Lost => leases.lost(lease),
                }
            }
        }
        Err(error) => tracing::warn!(%error, leases = batch.len(), "a renewal failed and is tried again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_renewer_wakes_when_the_oldest_lease_is_due_and_soon_again_when_it_stays_due() {
        assert_eq!(until_next(None), LOOK_EVERY);
        assert_eq!(until_next(Some(Duration::ZERO)), LOOK_EVERY);
        let left = Duration::from_millis(300);
        assert_eq!(until_next(RENEW_EVERY.checked_sub(left)), left);
        assert_eq!(until_next(Some(RENEW_EVERY)), SKIPPED_RETRY);
        assert_eq!(until_next(Some(RENEW_EVERY * 2)), SKIPPED_RETRY);
    }
}

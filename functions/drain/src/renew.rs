//! The renewer: keeps the leases of whatever is in flight or waits for its finish.
//!
//! It has a connection of its own, which claims and finishes can't occupy. A lease is renewed when it is
//! [`RENEW_EVERY`] old, together with every other that is half as old: most sends are over by then and cost no
//! renewal at all.
//!
//! A lane that was skipped is tried again soon; after three skips one such lane a round is waited for alone, since a
//! device whose callers never pause would starve a renewal that only skips.

use std::collections::HashMap;
use std::time::Duration;

use pushwake::limits::{RENEW_EVERY, SKIPPED_RETRY, SKIPS_BEFORE_WAIT};
use pushwake::queue::{Lease, Queue, Renewal};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::leases::Leases;

/// The longest sleep: a lease that is taken meanwhile is seen in time.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Renews until `stop`. A renewal that has begun is always waited for, so that no statement is cancelled.
pub async fn renew_until(stop: CancellationToken, queue: Queue, leases: Leases) {
    let mut pause = LOOK_EVERY;
    let mut skips = HashMap::new();
    while stop.run_until_cancelled(sleep(pause)).await.is_some() {
        let now = Instant::now();
        if leases.oldest(now).is_some_and(|age| age >= RENEW_EVERY) {
            renew(&queue, &leases, now, &mut skips).await;
        }
        pause = until_next(leases.oldest(Instant::now()));
    }
}

/// What was skipped or failed is still due, and is tried again soon.
fn until_next(oldest: Option<Duration>) -> Duration {
    let due = oldest.map_or(LOOK_EVERY, |age| RENEW_EVERY.saturating_sub(age));
    if due.is_zero() { SKIPPED_RETRY } else { due.min(LOOK_EVERY) }
}

async fn renew(queue: &Queue, leases: &Leases, sent: Instant, skips: &mut HashMap<Lease, u32>) {
    let batch = leases.aged(RENEW_EVERY / 2, sent);
    match queue.renew(&batch).await {
        Ok(answers) => {
            let skipped = note(leases, batch.iter().zip(answers), sent);
            *skips = skipped.into_iter().map(|lease| (lease.clone(), skips.get(lease).map_or(1, |n| n + 1))).collect();
        }
        Err(error) => return tracing::warn!(%error, leases = batch.len(), "a renewal failed and is tried again"),
    }
    // one a round: the wait must not make the others late
    let starved = skips.iter().filter(|(_, n)| **n >= SKIPS_BEFORE_WAIT).max_by_key(|(_, n)| **n);
    if let Some(lease) = starved.map(|(lease, _)| lease.clone()) {
        let sent = Instant::now();
        match queue.renew_waiting(&lease).await {
            Ok(answer) => _ = note(leases, [(&lease, answer)], sent),
            Err(error) => tracing::warn!(%error, leases = 1, "a renewal failed and is tried again"),
        }
    }
}

/// Notes the answers; returns what was skipped.
fn note<'a>(leases: &Leases, answers: impl IntoIterator<Item = (&'a Lease, Renewal)>, sent: Instant) -> Vec<&'a Lease> {
    let mut skipped = Vec::new();
    for (lease, answer) in answers {
        match answer {
            Renewal::Renewed => leases.renewed(lease, sent),
            Renewal::Skipped => skipped.push(lease),
            Renewal::Lost => leases.lost(lease),
        }
    }
    skipped
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

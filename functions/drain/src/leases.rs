//! The leases a drain holds, shared by its loop, its sends and its renewer.
//!
//! Time is measured from before the claim or renewal was *sent*, as a local duration: the database's lease began
//! later than that, so the measure errs on the safe side whatever the network did.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pushwake::limits::{LEASE, SEND_BEFORE};
use pushwake::queue::Lease;
use tokio::time::Instant;

/// The leases, keyed by lane, head and token: a drain may claim a lane again while an older finish is unsettled.
#[derive(Clone, Debug, Default)]
pub struct Leases(Arc<Mutex<HashMap<Lease, Held>>>);

#[derive(Clone, Copy, Debug)]
struct Held {
    /// Before its claim or last renewal was sent.
    since: Instant,
    lost: bool,
}

impl Leases {
    fn held(&self) -> MutexGuard<'_, HashMap<Lease, Held>> {
        // Every change below is whole, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a lease over from a claim that was sent at `since`.
    pub fn hold(&self, lease: Lease, since: Instant) {
        self.held().insert(lease, Held { since, lost: false });
    }

    /// Forgets a lease: its finish is done, or it was lost.
    pub fn let_go(&self, lease: &Lease) {
        self.held().remove(lease);
    }

    /// Whether a send may start: it will have ended, by answer or time-out, before the lease can.
    pub fn may_send(&self, lease: &Lease, now: Instant) -> bool {
        self.held().get(lease).is_some_and(|held| !held.lost && now.duration_since(held.since) < SEND_BEFORE)
    }

    /// Whether nobody else can have claimed the lane yet.
    pub fn is_ours(&self, lease: &Lease, now: Instant) -> bool {
        self.held().get(lease).is_some_and(|held| !held.lost && now.duration_since(held.since) < LEASE)
    }

    /// How long after `now` the lease ends, seen from here.
    pub fn ends_in(&self, lease: &Lease, now: Instant) -> Duration {
        let since = self.held().get(lease).map(|held| held.since);
        since.map_or(Duration::ZERO, |since| (since + LEASE).saturating_duration_since(now))
    }

    /// The leases that are at least `age` old and worth renewing.
    pub fn aged(&self, age: Duration, now: Instant) -> Vec<Lease> {
        let held = self.held();
        let aged = held.iter().filter(|(_, held)| !held.lost && now.duration_since(held.since) >= age);
        aged.map(|(lease, _)| lease.clone()).collect()
    }

    /// The age of the oldest lease worth renewing.
    pub fn oldest(&self, now: Instant) -> Option<Duration> {
        self.held().values().filter(|held| !held.lost).map(|held| now.duration_since(held.since)).max()
    }

    /// A renewal sent at `since` succeeded.
    pub fn renewed(&self, lease: &Lease, since: Instant) {
        if let Some(held) = self.held().get_mut(lease) {
            held.since = since;
        }
    }

    /// A renewal found the lease gone. A send that has started is still answered; none starts any more.
    pub fn lost(&self, lease: &Lease) {
        if let Some(held) = self.held().get_mut(lease) {
            held.lost = true;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn lease(head: i64) -> Lease {
        Lease { app: "ios".into(), device: format!("d{head}").into(), head, token: uuid::Uuid::from_u128(7) }
    }

    #[test]
    fn a_send_starts_only_while_its_answer_must_come_before_the_lease_ends() {
        let (leases, claimed) = (Leases::default(), Instant::now());
        leases.hold(lease(1), claimed);
        assert!(leases.may_send(&lease(1), claimed + SEND_BEFORE - Duration::from_millis(1)));
        assert!(!leases.may_send(&lease(1), claimed + SEND_BEFORE));
        assert!(!leases.may_send(&lease(2), claimed), "never claimed");
        let renewal = claimed + Duration::from_secs(10);
        leases.renewed(&lease(1), renewal);
        assert!(leases.may_send(&lease(1), claimed + SEND_BEFORE));
        assert!(!leases.may_send(&lease(1), renewal + SEND_BEFORE));
    }

    #[test]
    fn nothing_starts_on_a_lost_lease_and_nothing_renews_it() {
        let (leases, now) = (Leases::default(), Instant::now());
        leases.hold(lease(1), now);
        leases.lost(&lease(1));
        assert!(!leases.may_send(&lease(1), now));
        assert!(leases.aged(Duration::ZERO, now).is_empty());
        assert_eq!(leases.oldest(now), None);
    }

    #[test]
    fn the_same_lane_claimed_again_is_another_lease() {
        let (leases, now) = (Leases::default(), Instant::now());
        let again = Lease { head: 2, token: uuid::Uuid::from_u128(8), ..lease(1) };
        leases.hold(lease(1), now);
        leases.hold(again.clone(), now);
        leases.let_go(&lease(1));
        assert!(leases.may_send(&again, now));
    }
}

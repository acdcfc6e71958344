//! The wakes a drain posts.
//!
//! Who sets a due time posts its wake: enqueue for `send_at`, a drain for the retries it wrote, the pauses it wrote and
//! the leases it could not finish. A drain that wrote nothing posts nothing, so wakes are bounded by attempts and no
//! chain of them outlives its cause: were every drain to post for the earliest due time in the database, each wake
//! would leave another behind for as long as anything is scheduled, and twelve drains would keep twelve such chains.
//! What a drain that died did not post is due within the minute by schedule, as is what lies beyond the longest delay.

use std::collections::BTreeSet;
use std::time::Duration;

use pushwake::limits::{WAKE_DELAY, YIELD_WAKE};
use pushwake::wake::{Wake, Why};
use tokio::time::Instant;

use crate::pace::Ended;

/// When what this drain wrote falls due, by its own clock: never before the database's.
#[derive(Debug, Default)]
pub struct Dues(Vec<Instant>);

impl Dues {
    /// Something this drain wrote is due then.
    pub fn add(&mut self, at: Instant) {
        self.0.push(at);
    }

    /// A claim sent at `sent` took or saw everything that was due.
    pub fn seen(&mut self, sent: Instant) {
        self.0.retain(|due| *due > sent);
    }

    /// The delays, in whole seconds, that cover every due time.
    fn delays(&self, now: Instant) -> BTreeSet<u64> {
        self.0.iter().filter_map(|due| delay(due.saturating_duration_since(now))).collect()
    }
}

/// Rounded up, from 8 s on to four steps per doubling: one drain's thousand retries are about fifteen wakes, and none
/// comes more than a quarter late.
fn delay(left: Duration) -> Option<u64> {
    let seconds = u64::try_from(left.as_millis().div_ceil(1000)).ok()?.max(1);
    let step = (seconds.next_power_of_two() / 8).max(1);
    let longest = WAKE_DELAY.as_secs();
    (seconds <= longest).then(|| seconds.next_multiple_of(step).min(longest))
}

/// What is known when a drain has ended.
#[derive(Debug)]
pub struct Ending<'a> {
    /// The wake that started it.
    pub wake: Wake,
    /// Why it ended.
    pub ended: Ended,
    /// The database has more that is due.
    pub left: bool,
    /// It finished at least one head.
    pub progress: bool,
    /// What it wrote that is due later.
    pub dues: &'a Dues,
}

/// The wakes to post at the end, each with its delay.
pub fn at_the_end(ending: &Ending<'_>, now: Instant) -> Vec<(Wake, Duration)> {
    let retries = ending.dues.delays(now).into_iter().map(|delay| (Why::Retry, Duration::from_secs(delay)));
    let next = match ending.ended {
        // Without progress a chain of continuations would only burn; schedule tries again within the minute.
        Ended::Budget if ending.left && ending.progress => Some((Why::Continue, Duration::ZERO)),
        Ended::Yielded => Some((Why::Yield, YIELD_WAKE)),
        // The platform delivers the same wake again.
        Ended::Budget | Ended::Idle | Ended::Database => None,
    };
    next.into_iter().chain(retries).map(|(why, delay)| (ending.wake.next(why), delay)).collect()
}

/// The wake that recruits one more drain, if this one may: a continuation replaces a drain that has recruited.
pub fn recruit(wake: Wake) -> Option<Wake> {
    (wake.why != Why::Continue).then(|| wake.next(Why::Recruit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(ended: Ended, dues: &Dues) -> Ending<'_> {
        Ending { wake: Wake { why: Why::Enqueue, hop: 3 }, ended, left: true, progress: true, dues }
    }

    fn seconds(delays: impl IntoIterator<Item = f64>) -> Vec<u64> {
        let now = Instant::now();
        let mut dues = Dues::default();
        delays.into_iter().for_each(|delay| dues.add(now + Duration::from_secs_f64(delay)));
        dues.delays(now).into_iter().collect()
    }

    #[test]
    fn a_drain_that_wrote_no_due_time_and_left_nothing_posts_nothing() {
        let dues = Dues::default();
        assert_eq!(at_the_end(&ending(Ended::Idle, &dues), Instant::now()), []);
        let nothing_left = Ending { left: false, ..ending(Ended::Budget, &dues) };
        assert_eq!(at_the_end(&nothing_left, Instant::now()), []);
        let no_progress = Ending { progress: false, ..ending(Ended::Budget, &dues) };
        assert_eq!(at_the_end(&no_progress, Instant::now()), []);
        assert_eq!(at_the_end(&ending(Ended::Database, &dues), Instant::now()), []);
    }

    #[test]
    fn c23_a_retry_has_a_wake_of_its_own_never_before_it_is_due() {
        assert_eq!(seconds([16.0]), [16]);
        assert_eq!(seconds([15.2]), [16]);
        assert_eq!(seconds([0.001, 1.0, 1.001]), [1, 2]);
        for millis in (0..900_000).step_by(37) {
            let left = Duration::from_millis(millis);
            let wake = Duration::from_secs(delay(left).expect("within reach"));
            assert!(wake >= left && wake.as_millis() <= left.as_millis() * 5 / 4 + 1000, "{left:?} {wake:?}");
        }
    }

    #[test]
    fn a_thousand_retries_of_one_drain_are_a_handful_of_wakes() {
        assert!(seconds((0..1000).map(|n| f64::from(n) * 0.03)).len() <= 16);
        assert!(seconds([901.0, 100_000.0]).is_empty(), "beyond the longest delay schedule takes over");
        assert_eq!(seconds([899.5]), [900]);
    }

    #[test]
    fn what_a_later_claim_has_seen_needs_no_wake() {
        let now = Instant::now();
        let mut dues = Dues::default();
        dues.add(now + Duration::from_secs(2));
        dues.add(now + Duration::from_secs(9));
        dues.seen(now + Duration::from_secs(3));
        assert_eq!(dues.delays(now + Duration::from_secs(4)).into_iter().collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn the_end_of_the_budget_continues_and_spent_attempts_come_back_a_second_later() {
        let dues = Dues::default();
        let next = |why| Wake { why, hop: 4 };
        let now = Instant::now();
        assert_eq!(at_the_end(&ending(Ended::Budget, &dues), now), [(next(Why::Continue), Duration::ZERO)]);
        assert_eq!(at_the_end(&ending(Ended::Yielded, &dues), now), [(next(Why::Yield), YIELD_WAKE)]);
    }

    #[test]
    fn a_continuation_does_not_recruit() {
        assert_eq!(recruit(Wake { why: Why::Recruit, hop: 1 }), Some(Wake { why: Why::Recruit, hop: 2 }));
        assert_eq!(recruit(Wake { why: Why::Continue, hop: 1 }), None);
    }
}

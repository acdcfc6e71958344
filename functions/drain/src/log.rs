//! The log lines of a drain: one per attempt, one per drain. Never a token, a text, a body or a key.

use std::time::Duration;

use pushwake::function::device_hash;
use pushwake::function::metric::Metric;
use pushwake::queue::{Lease, Notification};

use crate::attempt::{Attempt, Unfinished};
use crate::clock::DatabaseClock;
use crate::drain::Summary;
use crate::outcome::Sent;

/// One attempt and its outcome.
pub fn attempt(attempt: &Attempt, sent: &Sent, request_id: &str) {
    let Lease { app, device, .. } = &attempt.lease;
    tracing::info!(
        event = attempt.notification.event.as_str(),
        device = device_hash(app, device),
        app = app.as_str(),
        outcome = sent.outcome.name(),
        reason = sent.outcome.reason(),
        attempt = attempt.attempts,
        age_ms = age(&attempt.notification, &attempt.clock),
        send_ms = millis(sent.took),
        provider_id = sent.request_id,
        request_id,
        "attempt"
    );
}

/// Whether the line of a delivered notification is among the `percent` that are written: the same for every drain, and
/// spread over the devices of an event, whose numbers follow one another.
pub fn is_sampled(seq: i64, percent: u8) -> bool {
    let spread = seq.unsigned_abs().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread >> 32) % 100 < u64::from(percent)
}

/// A head that was not sent, and what becomes of it.
pub fn unsent(
    unfinished: &Unfinished,
    attempts: i32,
    notification: Option<&Notification>,
    clock: &DatabaseClock,
    request_id: &str,
) {
    let Lease { app, device, .. } = &unfinished.finish.lease;
    tracing::info!(
        event = notification.map(|notification| notification.event.as_str()),
        device = device_hash(app, device),
        app = app.as_str(),
        outcome = unfinished.counts_as.map(Metric::as_str),
        attempt = attempts,
        age_ms = notification.map(|notification| age(notification, clock)),
        request_id,
        "attempt"
    );
}

fn age(notification: &Notification, clock: &DatabaseClock) -> u64 {
    millis((clock.now() - notification.send_at).try_into().unwrap_or_default())
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Summary {
    /// One line for the whole drain. Every field is always there, zero or not.
    pub fn log(&self) {
        let of = |metric| self.counts.of(metric);
        // `tracing` takes at most 32 fields in one line.
        tracing::info!(
            request_id = self.invocation.request_id,
            hop = self.invocation.wake.hop,
            ended_by = self.ended.as_str(),
            claims = self.claims,
            empty_claims = self.empty_claims,
            in_the_way = of(Metric::Yielded) + of(Metric::Contended),
            statements = self.statements,
            in_flight_peak = self.in_flight_peak,
            unfinished = self.unfinished,
            claimed = of(Metric::Claimed),
            delivered = of(Metric::Delivered),
            retried = of(Metric::Retried),
            rejected = of(Metric::Rejected),
            unregistered = of(Metric::Unregistered),
            expired = of(Metric::Expired),
            dismissed = of(Metric::Dismissed),
            unanswered = of(Metric::Unanswered),
            poison = of(Metric::Poison),
            newer = of(Metric::Newer),
            ambiguous = of(Metric::Ambiguous),
            misconfigured = of(Metric::Misconfigured),
            panicked = of(Metric::Panicked),
            lease_lost = of(Metric::LeaseLost),
            sent_late = of(Metric::SentLate),
            finish_retried = of(Metric::FinishRetried),
            paused = of(Metric::Paused),
            wake_posted = of(Metric::WakePosted),
            wake_failed = of(Metric::WakeFailed),
            wake_capped = of(Metric::WakeCapped),
            wake_malformed = of(Metric::WakeMalformed),
            "drain"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_as_large_as_it_says_and_all_or_nothing_at_its_ends() {
        let sampled = |percent| (1..=10_000).filter(|seq| is_sampled(*seq, percent)).count();
        assert_eq!((sampled(0), sampled(100)), (0, 10_000));
        for percent in [1, 10, 50, 99] {
            let expected = usize::from(percent) * 100;
            assert!(sampled(percent).abs_diff(expected) < 100, "{percent} %: {}", sampled(percent));
        }
        assert!(
            (1..=10_000).filter(|seq| is_sampled(*seq, 10)).all(|seq| is_sampled(seq, 20)),
            "a larger one holds it"
        );
    }
}

//! The report: what was delivered, how, and at what cost; and whether every check holds.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::lines::{Drained, Fault};
use crate::apns::{End, Recorded, Tally};

/// The report. Its fields are those of `--json`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Report {
    /// Every check holds.
    pub(super) passed: bool,
    pub(super) notifications: u64,
    pub(super) devices: u64,
    /// What enqueue answered to be queued.
    pub(super) queued: u64,
    pub(super) delivered: u64,
    pub(super) lost: u64,
    pub(super) duplicates: u64,
    pub(super) order_violations: u64,
    pub(super) second_flights: u64,
    /// Rows that are still in the queue.
    pub(super) left_in_queue: u64,
    /// Between the 10th and the 90th percentile of the deliveries.
    pub(super) delivered_per_second: f64,
    /// From the first call of enqueue to the last answer.
    pub(super) queued_per_second: f64,
    /// From the call of enqueue to the arrival at the provider.
    pub(super) latency_p50_ms: f64,
    pub(super) latency_p99_ms: f64,
    pub(super) in_flight_peak: u64,
    pub(super) claims: u64,
    pub(super) empty_claims: u64,
    /// Those of the drains: `begin` and `commit` are statements too.
    pub(super) statements: u64,
    pub(super) statements_per_delivery: f64,
    pub(super) drains_started: u64,
    /// How many of them ran at once.
    pub(super) drains_peak: u64,
    pub(super) wakes: u64,
    /// Wakes that were given up.
    pub(super) wakes_dead: u64,
    /// Errors that the functions wrote.
    pub(super) errors: Vec<Fault>,
    /// Whether the functions are a release build.
    pub(super) release: bool,
}

/// What the report is made of.
pub(super) struct Findings {
    pub(super) notifications: u64,
    pub(super) devices: u64,
    pub(super) queued: u64,
    pub(super) left: u64,
    pub(super) queued_per_second: f64,
    pub(super) requests: Vec<Recorded>,
    pub(super) tally: Tally,
    pub(super) latencies: Vec<Duration>,
    pub(super) drained: Drained,
    pub(super) drains_started: u64,
    pub(super) drains_peak: u64,
    pub(super) wakes: u64,
    pub(super) wakes_dead: u64,
    pub(super) errors: Vec<Fault>,
}

impl Report {
    pub(super) fn new(findings: Findings) -> Self {
        let Findings { tally, drained, mut latencies, .. } = findings;
        latencies.sort_unstable();
        let millis = |share| percentile(&latencies, share).map_or(0.0, |latency| latency.as_secs_f64() * 1000.0);
        let mut report = Self {
            passed: false,
            notifications: findings.notifications,
            devices: findings.devices,
            queued: findings.queued,
            delivered: tally.delivered,
            lost: findings.notifications.saturating_sub(tally.delivered),
            duplicates: tally.duplicates,
            order_violations: tally.order_violations,
            second_flights: tally.second_flights,
            left_in_queue: findings.left,
            delivered_per_second: tenths(rate(&findings.requests)),
            queued_per_second: tenths(findings.queued_per_second),
            latency_p50_ms: tenths(millis(0.50)),
            latency_p99_ms: tenths(millis(0.99)),
            in_flight_peak: tally.peak_in_flight,
            claims: drained.claims,
            empty_claims: drained.empty_claims,
            statements: drained.statements,
            statements_per_delivery: drained.statements as f64 / tally.delivered.max(1) as f64,
            drains_started: findings.drains_started,
            drains_peak: findings.drains_peak,
            wakes: findings.wakes,
            wakes_dead: findings.wakes_dead,
            errors: findings.errors,
            release: !cfg!(debug_assertions),
        };
        report.passed = report.queued == report.notifications && report.must_be_zero().iter().all(|(_, n)| *n == 0);
        report
    }

    /// What has to be zero, by name.
    pub(super) fn must_be_zero(&self) -> [(&'static str, u64); 6] {
        [
            ("lost", self.lost),
            ("duplicates", self.duplicates),
            ("order violations", self.order_violations),
            ("second flights", self.second_flights),
            ("left in the queue", self.left_in_queue),
            ("wakes given up", self.wakes_dead),
        ]
    }
}

/// Deliveries per second between the 10th and the 90th percentile of the deliveries.
fn rate(requests: &[Recorded]) -> f64 {
    let delivered = requests.iter().filter_map(|request| match &request.end {
        Some((at, End::Answered { status: 200, .. })) => Some(*at),
        _ => None,
    });
    let mut delivered: Vec<Instant> = delivered.collect();
    delivered.sort_unstable();
    let (first, last) = (delivered.len() / 10, delivered.len() * 9 / 10);
    let took = delivered.get(first).zip(delivered.get(last)).map(|(first, last)| last.duration_since(*first));
    took.filter(|took| !took.is_zero()).map_or(0.0, |took| (last - first) as f64 / took.as_secs_f64())
}

/// The nearest rank.
fn percentile(sorted: &[Duration], share: f64) -> Option<Duration> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(at: Instant) -> Recorded {
        Recorded {
            asked: crate::apns::Asked::default(),
            body: bytes::Bytes::new(),
            n: None,
            connection: 1,
            start: at,
            end: Some((at, End::Answered { status: 200, reason: None })),
        }
    }

    #[test]
    fn the_rate_leaves_the_first_and_the_last_tenth_out() {
        let start = Instant::now();
        let even = |n: u64| answered(start + Duration::from_millis(10 * n));
        let mut requests: Vec<_> = (0..100).map(even).collect();
        assert!((rate(&requests) - 100.0).abs() < 1e-6);
        requests.push(answered(start + Duration::from_hours(1)));
        assert!((rate(&requests) - 100.0).abs() < 1e-6);
        assert!(rate(&[]).abs() < 1e-6 && rate(&requests[..1]).abs() < 1e-6, "not a number without two deliveries");
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        let sorted: Vec<_> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&sorted, 0.5), Some(Duration::from_millis(50)));
        assert_eq!(percentile(&sorted, 0.99), Some(Duration::from_millis(99)));
        assert_eq!(percentile(&sorted[..1], 0.99), Some(Duration::from_millis(1)));
        assert_eq!(percentile(&[], 0.5), None);
    }
}

//! The report: what was delivered, how, and at what cost; and whether every check holds.

use std::collections::BTreeMap;

use serde::Serialize;

use super::during::During;
use super::findings::{Findings, Found};
use super::lines::{Drained, Fault};
use super::outage::Outage;
use super::processor::per_thousand;
use super::provider::Provider;
use super::sends::Sends;

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
    /// Discarded as the design asks for, since their provider did not answer, or said that it never takes them.
    pub(super) discarded: u64,
    pub(super) lost: u64,
    /// Needless ones: see `delivered_twice`.
    pub(super) duplicates: u64,
    /// Sends after one whose answer never came.
    pub(super) ambiguous_resends: u64,
    /// How many of them delivered what had been delivered.
    pub(super) delivered_twice: u64,
    /// Sends without an answer beyond those that the design allows.
    pub(super) unanswered_too_often: u64,
    pub(super) order_violations: u64,
    pub(super) second_flights: u64,
    /// Rows that are still in the queue.
    pub(super) left_in_queue: u64,
    /// Between the 10th and the 90th percentile of the deliveries.
    pub(super) delivered_per_second: f64,
    /// From the first call of enqueue to the last answer.
    pub(super) queued_per_second: f64,
    /// From the call of enqueue to the arrival at the provider of what it delivers.
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
    /// By function, for each 1,000 deliveries: starts included, and only where the machine says it.
    pub(super) processor_ms: BTreeMap<String, f64>,
    pub(super) wakes: u64,
    /// Wakes that were given up.
    pub(super) wakes_dead: u64,
    /// By name.
    pub(super) providers: BTreeMap<&'static str, Part>,
    /// How providers were made to fail.
    pub(super) outages: Vec<During>,
    /// Errors that the functions wrote.
    pub(super) errors: Vec<Fault>,
    /// Whether the functions are a release build.
    pub(super) release: bool,
}

/// One provider's part of it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Part {
    #[serde(skip)]
    pub(super) provider: Provider,
    pub(super) notifications: u64,
    pub(super) delivered: u64,
    pub(super) delivered_per_second: f64,
    pub(super) latency_p50_ms: f64,
    pub(super) latency_p99_ms: f64,
    /// Requests that it answered without a delivery.
    pub(super) refused: u64,
    /// Sends of what had been sent before.
    pub(super) retried: u64,
    /// How often its app was paused, or its pause prolonged.
    pub(super) paused: u64,
    pub(super) expired: u64,
    pub(super) ambiguous_resends: u64,
    pub(super) in_flight_peak: u64,
}

impl Report {
    pub(super) fn new(findings: Findings) -> Self {
        let Findings { each, drained, .. } = findings;
        let sends = Sends::together(each.iter().map(|found| &found.sends));
        let sum = |of: fn(&Found) -> u64| each.iter().map(of).sum::<u64>();
        let delivered = sum(|found| found.tally.delivered);
        let discarded = discarded(drained, &findings.outages);
        let mut report = Self {
            passed: false,
            notifications: findings.notifications,
            devices: findings.devices,
            queued: findings.queued,
            delivered,
            discarded,
            lost: findings.notifications.saturating_sub(delivered + discarded),
            duplicates: sum(|found| found.tally.duplicates).saturating_sub(sends.delivered_twice),
            ambiguous_resends: sends.ambiguous_resends,
            delivered_twice: sends.delivered_twice,
            unanswered_too_often: sends.unanswered_too_often,
            order_violations: sum(|found| found.tally.order_violations),
            second_flights: sum(|found| found.tally.second_flights),
            left_in_queue: findings.left,
            delivered_per_second: tenths(sends.rate()),
            queued_per_second: tenths(findings.queued_per_second),
            latency_p50_ms: tenths(sends.latency_ms(0.50)),
            latency_p99_ms: tenths(sends.latency_ms(0.99)),
            in_flight_peak: findings.in_flight_peak,
            claims: drained.claims,
            empty_claims: drained.empty_claims,
            statements: drained.statements,
            statements_per_delivery: drained.statements as f64 / delivered.max(1) as f64,
            drains_started: findings.drains_started,
            drains_peak: findings.drains_peak,
            processor_ms: per_thousand(findings.processor, delivered),
            wakes: findings.wakes,
            wakes_dead: findings.wakes_dead,
            providers: each.iter().map(|found| (found.provider.name(), Part::new(found))).collect(),
            outages: findings.during,
            errors: findings.errors,
            release: !cfg!(debug_assertions),
        };
        report.passed = report.queued == report.notifications && report.must_be_zero().iter().all(|(_, n)| *n == 0);
        report
    }

    /// What has to be zero, by name.
    pub(super) fn must_be_zero(&self) -> [(&'static str, u64); 7] {
        [
            ("lost", self.lost),
            ("duplicates", self.duplicates),
            ("order violations", self.order_violations),
            ("second flights", self.second_flights),
            ("unanswered too often", self.unanswered_too_often),
            ("left in the queue", self.left_in_queue),
            ("wakes given up", self.wakes_dead),
        ]
    }
}

impl Part {
    fn new(Found { provider, notifications, tally, sends, told, .. }: &Found) -> Self {
        Self {
            provider: *provider,
            notifications: *notifications,
            delivered: tally.delivered,
            delivered_per_second: tenths(sends.rate()),
            latency_p50_ms: tenths(sends.latency_ms(0.50)),
            latency_p99_ms: tenths(sends.latency_ms(0.99)),
            refused: sends.refused,
            retried: sends.retried,
            paused: told.paused,
            expired: told.expired,
            ambiguous_resends: sends.ambiguous_resends,
            in_flight_peak: tally.peak_in_flight,
        }
    }
}

/// What may be discarded of what was discarded: without an outage that asks for it, a discarded one is lost.
fn discarded(drained: Drained, outages: &[Outage]) -> u64 {
    let when = |asks: fn(&Outage) -> bool, n: u64| if outages.iter().any(asks) { n } else { 0 };
    when(Outage::is_silent, drained.unanswered) + when(Outage::is_verdict, drained.rejected)
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_outage_that_asks_for_it_discards() {
        let drained = Drained { unanswered: 3, rejected: 4, ..Drained::default() };
        for (outage, expected) in [
            ("apns=503@0s..1s", 0),
            ("apns=403@0s..1s", 0),
            ("apns=refuse@0s..1s", 0),
            ("apns=hang@0s..1s", 3),
            ("fcm=close@0s..1s", 3),
            ("webpush=403@0s..1s", 4),
        ] {
            assert_eq!(discarded(drained, &[outage.parse().expect(outage)]), expected, "{outage}");
        }
        assert_eq!(discarded(drained, &[]), 0);
    }
}

//! The report in words, within 80 columns.

use std::fmt;

use indicatif::HumanCount;

use super::report::{Part, Report};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = HumanCount;
        writeln!(f, "{:<8}{HEAD}", "")?;
        for part in self.providers.values() {
            writeln!(f, "{:<8}{part}", part.provider.name())?;
        }
        for during in &self.outages {
            writeln!(f, "\n--fail {}\n  {during}", during.outage)?;
        }
        writeln!(f)?;
        let mut line = |name: &str, value: String| writeln!(f, "{name:<24}{value}");
        line("delivered", format!("{} of {}", count(self.delivered), count(self.notifications)))?;
        if !self.outages.is_empty() {
            let twice = self.delivered_twice;
            line("sent again unanswered", format!("{}, {twice} delivered twice", count(self.ambiguous_resends)))?;
            line("discarded by design", count(self.discarded).to_string())?;
        }
        for (name, n) in self.must_be_zero() {
            line(name, count(n).to_string())?;
        }
        line("rate", format!("{:.0}/s between the 10th and the 90th percentile", self.delivered_per_second))?;
        line("queued at", format!("{:.0}/s", self.queued_per_second))?;
        let (p50, p99) = (time(self.latency_p50_ms), time(self.latency_p99_ms));
        line("enqueue to provider", format!("p50 {p50}, p99 {p99}, with the wait in the queue"))?;
        line("in flight", format!("{} at most", count(self.in_flight_peak)))?;
        line("claims", format!("{}, {} of them empty", count(self.claims), count(self.empty_claims)))?;
        let (statements, each) = (count(self.statements), self.statements_per_delivery);
        line("statements", format!("{statements}, {each:.3} per delivery"))?;
        let (started, peak) = (count(self.drains_started), self.drains_peak);
        line("drains", format!("{started} started, {peak} at once at most"))?;
        let each = |(function, ms): (&String, &f64)| format!("{function} {ms:.1} ms");
        let processor: Vec<_> = self.processor_ms.iter().map(each).collect();
        if !processor.is_empty() {
            line("processor of 1,000", processor.join(", "))?;
        }
        line("wakes", count(self.wakes).to_string())?;
        for error in &self.errors {
            line("error of a function", format!("{} times: {}", error.times, error.said))?;
        }
        if !self.release {
            line("build", "debug; cargo run --release shows the real rate".to_owned())?;
        }
        line("result", if self.passed { "every check holds" } else { "FAILED" }.to_owned())
    }
}

const HEAD: &str = "         delivered     rate      p50      p99  retried  paused  expired";

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |n| HumanCount(n).to_string();
        let delivered = format!("{} of {}", count(self.delivered), count(self.notifications));
        let rate = format!("{:.0}/s", self.delivered_per_second);
        let (p50, p99) = (time(self.latency_p50_ms), time(self.latency_p99_ms));
        let (retried, paused, expired) = (count(self.retried), count(self.paused), count(self.expired));
        write!(f, "{delivered:>18} {rate:>8} {p50:>8} {p99:>8} {retried:>8} {paused:>7} {expired:>8}")
    }
}

/// In the unit that tells most.
fn time(ms: f64) -> String {
    if ms < 1_000.0 { format!("{ms:.0} ms") } else { format!("{:.1} s", ms / 1_000.0) }
}

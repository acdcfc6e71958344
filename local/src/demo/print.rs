//! The report in words.

use std::fmt;

use indicatif::HumanCount;

use super::report::Report;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = HumanCount;
        let mut line = |name: &str, value: String| writeln!(f, "{name:<24}{value}");
        line("delivered", format!("{} of {}", count(self.delivered), count(self.notifications)))?;
        for (name, n) in self.must_be_zero() {
            line(name, count(n).to_string())?;
        }
        line("rate", format!("{:.0}/s between the 10th and the 90th percentile", self.delivered_per_second))?;
        line("queued at", format!("{:.0}/s", self.queued_per_second))?;
        let (p50, p99) = (self.latency_p50_ms, self.latency_p99_ms);
        line("enqueue to provider", format!("p50 {p50:.0} ms, p99 {p99:.0} ms"))?;
        line("in flight", format!("{} at most", count(self.in_flight_peak)))?;
        line("claims", format!("{}, {} of them empty", count(self.claims), count(self.empty_claims)))?;
        let (statements, each) = (count(self.statements), self.statements_per_delivery);
        line("statements", format!("{statements}, {each:.3} per delivery"))?;
        let (started, peak) = (count(self.drains_started), self.drains_peak);
        line("drains", format!("{started} started, {peak} at once at most"))?;
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

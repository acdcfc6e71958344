//! What went on while a provider failed: how fast the others were sent to, and when it was sent to again.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::findings::Found;
use super::outage::Outage;

/// One outage, and what was delivered meanwhile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct During {
    /// As it was asked for.
    pub(super) outage: String,
    /// Requests that it met.
    pub(super) met: u64,
    /// Deliveries per second while it lasted, by provider; only until a provider's last delivery, and null if that came
    /// before.
    pub(super) delivered_per_second: BTreeMap<&'static str, Option<f64>>,
    /// From its end to the first delivery of its provider after it, in seconds.
    pub(super) recovered_after_s: Option<f64>,
}

impl During {
    /// `start` is that of the run.
    pub(super) fn new(outage: &Outage, start: Instant, each: &[Found]) -> Self {
        let (from, to) = (start + outage.from, start + outage.to);
        let failed = each.iter().find(|found| found.provider == outage.provider);
        let after = failed.and_then(|found| found.sends.deliveries.iter().filter(|&&at| at >= to).min());
        Self {
            outage: outage.to_string(),
            met: failed.map_or(0, |found| found.starts.iter().filter(|&&at| (from..to).contains(&at)).count() as u64),
            delivered_per_second: each
                .iter()
                .map(|found| (found.provider.name(), rate(&found.sends.deliveries, from, to)))
                .collect(),
            recovered_after_s: after.map(|at| tenths(at.duration_since(to))),
        }
    }
}

fn rate(deliveries: &[Instant], from: Instant, to: Instant) -> Option<f64> {
    let to = to.min(*deliveries.iter().max()?);
    let took = to.checked_duration_since(from).filter(|took| !took.is_zero())?;
    let n = deliveries.iter().filter(|&&at| (from..=to).contains(&at)).count();
    Some((n as f64 / took.as_secs_f64() * 10.0).round() / 10.0)
}

fn tenths(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}

impl fmt::Display for During {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.met == 0 {
            return f.write_str("met nothing, since nothing was sent to it then; more --notifications take longer");
        }
        for (nth, (name, rate)) in self.delivered_per_second.iter().enumerate() {
            f.write_str(if nth == 0 { "meanwhile " } else { ", " })?;
            match rate {
                Some(rate) => write!(f, "{name} {rate:.0}/s")?,
                None => write!(f, "{name} was through")?,
            }
        }
        match self.recovered_after_s {
            Some(after) => write!(f, "; back {after:.1} s after it"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_rate_is_taken_until_the_last_delivery_at_most() {
        let start = Instant::now();
        let even: Vec<Instant> = (0..=40).map(|n| start + n * SECOND / 10).collect();
        let expect = |from, to, expected| assert_eq!(rate(&even, start + from * SECOND, start + to * SECOND), expected);
        expect(2, 6, Some(10.5));
        expect(4, 6, None);
        expect(5, 6, None);
        assert_eq!(rate(&[], start, start + SECOND), None);
    }

    #[test]
    fn it_is_said_what_went_on_and_what_an_outage_missed() {
        let during = During {
            outage: "apns=503@2s..6s".to_owned(),
            met: 12,
            delivered_per_second: [("apns", Some(0.0)), ("fcm", Some(1234.4)), ("webpush", None)].into(),
            recovered_after_s: Some(2.25),
        };
        assert_eq!(during.to_string(), "meanwhile apns 0/s, fcm 1234/s, webpush was through; back 2.2 s after it");
        assert!(During { met: 0, ..during }.to_string().starts_with("met nothing"));
    }
}

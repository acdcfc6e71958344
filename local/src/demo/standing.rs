//! How it stands at one moment of the run.

use std::fmt;
use std::time::Duration;

use indicatif::HumanCount;

use super::look::{Pause, Seen};
use super::outage::Outage;
use super::plan::Plan;
use super::provider::Provider;
use super::track::Track;
use crate::stack::Stack;

/// How all of it stands.
#[derive(Debug)]
pub(super) struct Standing {
    /// Waiting in the queue.
    pub(super) queued: u64,
    /// The age of the oldest that waits.
    pub(super) oldest: Option<Duration>,
    pub(super) in_flight: u64,
    pub(super) delivered: u64,
    pub(super) each: Vec<Part>,
}

/// How one provider's part of it stands.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) provider: Provider,
    pub(super) in_flight: u64,
    pub(super) delivered: u64,
    /// What is out of order, if anything.
    pub(super) trouble: String,
}

impl Standing {
    /// Looks at everything. `elapsed` is the time since the start of the run.
    pub(super) fn look(
        stack: &Stack,
        plan: &Plan,
        track: &Track,
        outages: &[Outage],
        seen: &Seen,
        elapsed: Duration,
    ) -> Self {
        let (queued, oldest) = track.look(stack);
        let part = |&provider: &Provider| {
            let tally = provider.tally(stack);
            let active = |outage: &&Outage| outage.provider == provider && outage.is_on(elapsed);
            let trouble = trouble(outages.iter().find(active), seen.pauses.get(provider.app()));
            Part { provider, in_flight: tally.in_flight, delivered: tally.delivered, trouble }
        };
        let each: Vec<Part> = plan.providers.iter().map(part).collect();
        let (in_flight, delivered) = each
            .iter()
            .fold((0, 0), |(in_flight, delivered), part| (in_flight + part.in_flight, delivered + part.delivered));
        let queued = (queued as u64).saturating_sub(in_flight + delivered);
        Self { queued, oldest, in_flight, delivered, each }
    }
}

fn trouble(outage: Option<&Outage>, pause: Option<&Pause>) -> String {
    let failing = outage.map(|Outage { answer, to, .. }| format!("{} until {to:?}", answer.doing()));
    let paused = pause.map(|Pause { reason, left }| match left.as_secs_f64().ceil() {
        0.0 => format!("paused until its probe is answered ({reason})"),
        left => format!("paused, probed in {left:.0} s ({reason})"),
    });
    [failing, paused].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

impl Part {
    /// In columns, without its trouble.
    pub(super) fn line(&self, rate: f64) -> String {
        let [in_flight, delivered] = [self.in_flight, self.delivered].map(|n| HumanCount(n).to_string());
        format!("in flight {in_flight:>5}  delivered {delivered:>7}  {rate:>5.0}/s")
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [queued, in_flight, delivered] = [self.queued, self.in_flight, self.delivered].map(HumanCount);
        let oldest = self.oldest.unwrap_or_default().as_secs_f64();
        write!(f, "queued {queued}  in flight {in_flight}  delivered {delivered}  oldest {oldest:.1} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_and_a_pause_are_named() {
        let outage = "apns=503@2s..6s".parse().ok();
        let pause = |left| Pause { reason: "InvalidProviderToken".to_owned(), left };
        assert_eq!(trouble(None, None), "");
        assert_eq!(trouble(outage.as_ref(), None), "answers 503 until 6s");
        let both = trouble(outage.as_ref(), Some(&pause(Duration::from_secs(7))));
        assert_eq!(both, "answers 503 until 6s; paused, probed in 7 s (InvalidProviderToken)");
        let due = trouble(None, Some(&pause(Duration::ZERO)));
        assert_eq!(due, "paused until its probe is answered (InvalidProviderToken)");
    }
}

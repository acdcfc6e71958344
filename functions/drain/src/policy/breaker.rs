//! The breaker: too many verdicts against tokens or payloads at once are a fault of ours.

use std::time::{Duration, Instant};

use crate::outcome::{Outcome, Reason};

/// How long verdicts are counted together.
const WINDOW: Duration = Duration::from_mins(1);
/// Sends a share is judged on.
const AT_LEAST: u32 = 50;
/// The share that can't be true, in percent.
const SHARE: u32 = 20;

/// Watches the outcomes of one app.
///
/// Above a share of dead verdicts (a wrong environment answers `BadDeviceToken` for every device), or of rejections
/// no table lists, further ones are turned into [`Outcome::Misconfigured`], which keeps rows and tokens and pauses
/// the app. That lasts until a send is delivered, so that a probe which meets the same fault does not mark a token.
#[derive(Debug)]
pub struct Breaker {
    since: Instant,
    sends: u32,
    dead: u32,
    unlisted: u32,
    tripped: bool,
}

impl Breaker {
    /// A breaker that has seen nothing.
    pub fn new(now: Instant) -> Self {
        Self { since: now, sends: 0, dead: 0, unlisted: 0, tripped: false }
    }

    /// The outcome to act on.
    pub fn judge(&mut self, outcome: Outcome, now: Instant) -> Outcome {
        if now.duration_since(self.since) >= WINDOW {
            *self = Self { tripped: self.tripped, ..Self::new(now) };
        }
        self.sends = self.sends.saturating_add(1);
        let reason: Reason = match &outcome {
            Outcome::Delivered => {
                if self.tripped {
                    *self = Self::new(now);
                }
                return outcome;
            }
            Outcome::Unregistered { .. } => {
                self.dead = self.dead.saturating_add(1);
                "TooManyDeadTokens".into()
            }
            Outcome::Rejected { listed: false, .. } => {
                self.unlisted = self.unlisted.saturating_add(1);
                "TooManyUnlistedRejections".into()
            }
            _ => return outcome,
        };
        self.tripped |= self.sends >= AT_LEAST && self.above(self.dead.max(self.unlisted));
        if self.tripped { Outcome::Misconfigured { reason } } else { outcome }
    }

    fn above(&self, verdicts: u32) -> bool {
        u64::from(verdicts) * 100 > u64::from(self.sends) * u64::from(SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dead() -> Outcome {
        Outcome::Unregistered { reason: "BadDeviceToken".into(), dead_at: None }
    }

    fn feed(breaker: &mut Breaker, now: Instant, outcomes: impl IntoIterator<Item = Outcome>) -> Vec<&'static str> {
        outcomes.into_iter().map(|outcome| breaker.judge(outcome, now).name()).collect()
    }

    #[test]
    fn c14_wrong_environment_stops_marking_at_the_fiftieth_send() {
        let now = Instant::now();
        let judged = feed(&mut Breaker::new(now), now, std::iter::repeat_n(dead(), 100));
        assert!(judged[..49].iter().all(|name| *name == "unregistered"));
        assert!(judged[49..].iter().all(|name| *name == "misconfigured"));
    }

    #[test]
    fn a_fifth_of_dead_tokens_is_still_believed() {
        let now = Instant::now();
        let mixed = (0..500).map(|n| if n % 5 == 4 { dead() } else { Outcome::Delivered });
        assert!(!feed(&mut Breaker::new(now), now, mixed).contains(&"misconfigured"));
    }

    #[test]
    fn a_delivery_closes_it_and_a_new_window_alone_does_not() {
        let start = Instant::now();
        let mut breaker = Breaker::new(start);
        feed(&mut breaker, start, std::iter::repeat_n(dead(), 60));
        let later = start + WINDOW * 2;
        assert_eq!(
            feed(&mut breaker, later, [dead(), Outcome::Delivered, dead()]),
            ["misconfigured", "delivered", "unregistered"]
        );
    }

    #[test]
    fn a_burst_of_unlisted_rejections_is_ours_and_listed_ones_are_not() {
        let now = Instant::now();
        let rejected = |listed| Outcome::Rejected { reason: "Odd".into(), listed };
        assert!(feed(&mut Breaker::new(now), now, std::iter::repeat_n(rejected(false), 60)).contains(&"misconfigured"));
        assert!(!feed(&mut Breaker::new(now), now, std::iter::repeat_n(rejected(true), 60)).contains(&"misconfigured"));
    }
}

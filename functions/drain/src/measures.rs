//! What a drain measures for its metrics besides its counts, and the lines it makes of both.

use std::collections::HashMap;

use pushwake::contract::AppId;
use pushwake::function::metric::{Line, Metric, milliseconds_since_1970};

use crate::drain::Summary;
use crate::outcome::Sent;
use crate::policy::is_unsent;

/// The queue keeps a wake for an hour: an earlier time is none of a wake, as is one to come.
const LONGEST_WAKE: u64 = 3_600_000;

/// See the module. Local to the drain, and an entry for each app, so that a delivery allocates nothing.
#[derive(Debug, Default)]
pub struct Measures {
    apps: HashMap<AppId, OfApp>,
    claim_answered: bool,
    wake_to_first_claim: Option<u64>,
}

#[derive(Debug, Default)]
struct OfApp {
    claimed: u64,
    outcomes: [u64; Metric::OUTCOMES.len()],
    /// One for each send.
    send_ms: Vec<u32>,
}

impl Measures {
    /// A claim was answered; the first one was what the wake that could be received at `receivable` was for.
    pub fn claim_answered(&mut self, receivable: Option<u64>) {
        if !self.claim_answered {
            self.claim_answered = true;
            self.wake_to_first_claim = receivable.and_then(|since| elapsed(since, milliseconds_since_1970()));
        }
    }

    /// A head was claimed.
    pub fn claimed(&mut self, app: &AppId) {
        self.of(app).claimed += 1;
    }

    /// A send is over. One that never reached its provider says nothing about it.
    pub fn sent(&mut self, app: &AppId, sent: &Sent) {
        if !is_unsent(&sent.outcome) {
            let took = u32::try_from(sent.took.as_millis()).unwrap_or(u32::MAX);
            self.of(app).send_ms.push(took);
        }
    }

    /// Heads are finished.
    pub fn outcome(&mut self, app: &AppId, outcome: Metric, n: u64) {
        if let Some(place) = Metric::OUTCOMES.iter().position(|known| *known == outcome) {
            self.of(app).outcomes[place] += n;
        }
    }

    fn of(&mut self, app: &AppId) -> &mut OfApp {
        if !self.apps.contains_key(app) {
            self.apps.insert(app.clone(), OfApp::default());
        }
        self.apps.get_mut(app).expect("it was inserted")
    }
}

/// A moment's difference of two clocks is no time; a larger one is no measure.
fn elapsed(since: u64, now: u64) -> Option<u64> {
    let elapsed = now.saturating_sub(since);
    (elapsed <= LONGEST_WAKE && since <= now + 1_000).then_some(elapsed)
}

impl Summary {
    /// The metrics of the drain. What is zero is left out: a drain that has little to say is most of them.
    pub(crate) fn measured(&mut self, cold_start: bool) -> Vec<Line> {
        let counts = &self.counts;
        counts.add(Metric::ColdStarts, cold_start.into());
        counts.add(Metric::EmptyDrains, (counts.of(Metric::Claimed) == 0).into());
        counts.add(Metric::InFlightPeak, self.in_flight_peak as u64);
        let mut of_all = Line::new();
        for metric in Metric::ALL {
            of_all.nonzero(*metric, counts.of(*metric));
        }
        if let Some(elapsed) = self.measures.wake_to_first_claim {
            of_all.one(Metric::WakeToFirstClaim, elapsed);
        }
        let of_apps = std::mem::take(&mut self.measures.apps);
        std::iter::once(of_all).chain(of_apps.into_iter().flat_map(|(app, of_app)| of_app.lines(&app))).collect()
    }
}

impl OfApp {
    /// One line, and one more for every outcome but the first.
    fn lines(self, app: &AppId) -> Vec<Line> {
        let mut first = Line::of(app);
        first.nonzero(Metric::Claimed, self.claimed);
        first.many(Metric::SendMs, self.send_ms);
        let mut lines = vec![first];
        let outcomes = Metric::OUTCOMES.into_iter().zip(self.outcomes).filter(|(_, n)| *n > 0);
        for (place, (outcome, n)) in outcomes.enumerate() {
            if place > 0 {
                lines.push(Line::of(app));
            }
            lines.last_mut().expect("there is a first").outcome(outcome, n);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::outcome::Outcome;

    #[test]
    fn only_a_time_that_a_wake_can_have_is_measured() {
        let now = 1_800_000_000_000;
        assert_eq!(elapsed(now - 250, now), Some(250));
        assert_eq!(elapsed(now + 20, now), Some(0), "two clocks");
        assert_eq!([elapsed(0, now), elapsed(now + 60_000, now), elapsed(u64::MAX, now)], [None; 3]);
    }

    #[test]
    fn the_first_claim_alone_is_measured() {
        let mut measures = Measures::default();
        measures.claim_answered(None);
        measures.claim_answered(Some(milliseconds_since_1970()));
        assert_eq!(measures.wake_to_first_claim, None);
    }

    #[test]
    fn an_app_has_a_line_for_every_outcome_and_its_sends_are_in_one() {
        let mut measures = Measures::default();
        let app = AppId::from("ios");
        let sent = |outcome| Sent { outcome, request_id: None, took: Duration::from_millis(12) };
        measures.claimed(&app);
        measures.sent(&app, &sent(Outcome::Delivered));
        measures.outcome(&app, Metric::Delivered, 1);
        measures.outcome(&app, Metric::Expired, 7);
        measures.outcome(&app, Metric::LeaseLost, 1);
        let of_app = measures.apps.remove(&app).expect("it was measured");
        assert_eq!(of_app.send_ms, [12]);
        assert_eq!(of_app.outcomes.iter().sum::<u64>(), 8, "a lost lease is no outcome");
        assert_eq!(of_app.lines(&app).len(), 2);
        assert_eq!(OfApp::default().lines(&app).len(), 1);
    }
}

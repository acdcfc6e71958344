//! What the requests to one provider say of the sends: deliveries, refusals, and what was sent again.
//!
//! A send whose answer never came may have been delivered, so sending it again is what the design asks for, up to
//! [`UNANSWERED`] such sends: an ambiguous resend. The answer to a delivery may also be lost on its way, with a
//! connection that was closed; only then a second delivery is no needless duplicate.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use pushwake::limits::UNANSWERED;

use super::provider::{Arrival, Fate};

/// The sends to one provider.
#[derive(Debug, Default)]
pub(super) struct Sends {
    /// When deliveries were answered.
    pub(super) deliveries: Vec<Instant>,
    /// From the call of enqueue to the arrival of what was delivered.
    pub(super) latencies: Vec<Duration>,
    pub(super) refused: u64,
    /// Sends of what had been sent before.
    pub(super) retried: u64,
    /// Sends after one whose answer did not come.
    pub(super) ambiguous_resends: u64,
    /// How many of them were deliveries of what had been delivered.
    pub(super) delivered_twice: u64,
    /// Sends without an answer beyond those that the design allows.
    pub(super) unanswered_too_often: u64,
}

#[derive(Default)]
struct Notification {
    last: Option<(Option<Instant>, Fate)>,
    delivered: bool,
    unanswered: i32,
}

impl Sends {
    /// Reads the requests to one provider, in order of arrival. `handed` has the calls of enqueue by place, and
    /// `loses_answer` knows when an answer may have been lost.
    pub(super) fn read(
        arrivals: &[Arrival],
        handed: &[Option<Instant>],
        loses_answer: impl Fn(Instant) -> bool,
    ) -> Self {
        let mut sends = Self::default();
        let mut notifications: HashMap<usize, Notification> = HashMap::new();
        for arrival in arrivals {
            // One that is in flight at the end has no answer either.
            let (ended, fate) = arrival.end.map_or((None, Fate::Unanswered), |(at, fate)| (Some(at), fate));
            match (fate, ended) {
                (Fate::Delivered, Some(at)) => sends.deliveries.push(at),
                (Fate::Refused, _) => sends.refused += 1,
                _ => {}
            }
            let Some(place) = arrival.place else { continue };
            let notification = notifications.entry(place).or_default();
            sends.retried += u64::from(notification.last.is_some());
            let ambiguous = match notification.last {
                Some((_, Fate::Unanswered)) => true,
                Some((Some(at), Fate::Delivered)) => loses_answer(at),
                _ => false,
            };
            sends.ambiguous_resends += u64::from(ambiguous);
            match fate {
                Fate::Delivered if notification.delivered => sends.delivered_twice += u64::from(ambiguous),
                Fate::Delivered => {
                    notification.delivered = true;
                    sends.latencies.extend(handed[place].map(|handed| arrival.start.duration_since(handed)));
                }
                Fate::Unanswered => {
                    notification.unanswered += 1;
                    sends.unanswered_too_often += u64::from(notification.unanswered > UNANSWERED);
                }
                Fate::Refused => {}
            }
            notification.last = Some((ended, fate));
        }
        sends
    }

    /// Deliveries per second between the 10th and the 90th percentile of the deliveries.
    pub(super) fn rate(&self) -> f64 {
        let mut delivered = self.deliveries.clone();
        delivered.sort_unstable();
        let (first, last) = (delivered.len() / 10, delivered.len() * 9 / 10);
        let took = delivered.get(first).zip(delivered.get(last)).map(|(first, last)| last.duration_since(*first));
        took.filter(|took| !took.is_zero()).map_or(0.0, |took| (last - first) as f64 / took.as_secs_f64())
    }

    /// The nearest rank of the latencies, in milliseconds.
    pub(super) fn latency_ms(&self, share: f64) -> f64 {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    }

    /// Those to several providers together.
    pub(super) fn together<'a>(each: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self::default();
        for sends in each {
            all.deliveries.extend(&sends.deliveries);
            all.latencies.extend(&sends.latencies);
            all.refused += sends.refused;
            all.retried += sends.retried;
            all.ambiguous_resends += sends.ambiguous_resends;
            all.delivered_twice += sends.delivered_twice;
            all.unanswered_too_often += sends.unanswered_too_often;
        }
        all
    }
}

/// The most requests that were in flight at one moment, to all providers together.
pub(super) fn peak<'a>(arrivals: impl Iterator<Item = &'a Arrival>) -> u64 {
    let turns = arrivals.flat_map(|arrival| [Some((arrival.start, 1)), arrival.end.map(|(at, _)| (at, -1))]);
    let mut turns: Vec<(Instant, i64)> = turns.flatten().collect();
    turns.sort_unstable();
    let flights = turns.iter().scan(0, |flights, (_, turn)| {
        *flights += turn;
        Some(*flights)
    });
    flights.max().unwrap_or_default().unsigned_abs()
}

#[cfg(test)]
mod tests;

//! Where every notification stands: when it was handed to enqueue, and whether it has reached its provider.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::plan::Plan;
use crate::stack::Stack;

/// Where every notification stands.
pub(super) struct Track {
    plan: Arc<Plan>,
    stands: Mutex<Stands>,
}

struct Stands {
    /// By place: the start of the call that queued it.
    handed: Vec<Option<Instant>>,
    /// By place.
    arrived: Vec<bool>,
    /// Places, in the order in which they were queued; those that arrived leave from the front.
    waiting: VecDeque<usize>,
    queued: usize,
    /// Requests of the providers' ledgers that were looked at, in the order of the plan.
    seen: Vec<usize>,
    first_call: Option<Instant>,
    last_answer: Option<Instant>,
}

impl Track {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        let stands = Stands {
            handed: vec![None; plan.notifications],
            arrived: vec![false; plan.notifications],
            waiting: VecDeque::new(),
            queued: 0,
            seen: vec![0; plan.providers.len()],
            first_call: None,
            last_answer: None,
        };
        Self { plan, stands: Mutex::new(stands) }
    }

    /// Enqueue has answered that these places are queued, to a call made at `handed`.
    pub(super) fn queued(&self, handed: Instant, places: impl IntoIterator<Item = usize>) {
        let now = Instant::now();
        let mut stands = self.stands();
        for place in places {
            stands.handed[place] = Some(handed);
            stands.waiting.push_back(place);
            stands.queued += 1;
        }
        stands.first_call = Some(stands.first_call.map_or(handed, |first| first.min(handed)));
        stands.last_answer = Some(now);
    }

    /// How many are queued, and the age of the oldest that has not reached its provider.
    pub(super) fn look(&self, stack: &Stack) -> (usize, Option<Duration>) {
        let mut stands = self.stands();
        for (nth, provider) in self.plan.providers.iter().enumerate() {
            let fresh = provider.arrivals(stack, &self.plan, stands.seen[nth]);
            stands.seen[nth] += fresh.len();
            for place in fresh.iter().filter_map(|arrival| arrival.place) {
                stands.arrived[place] = true;
            }
        }
        while stands.waiting.front().is_some_and(|&place| stands.arrived[place]) {
            stands.waiting.pop_front();
        }
        let oldest = stands.waiting.front().and_then(|&place| stands.handed[place]);
        (stands.queued, oldest.map(|handed| handed.elapsed()))
    }

    /// By place: the start of the call that queued it.
    pub(super) fn handed(&self) -> Vec<Option<Instant>> {
        self.stands().handed.clone()
    }

    /// Notifications queued per second, from the first call to the last answer.
    pub(super) fn queued_per_second(&self) -> f64 {
        let stands = self.stands();
        let took = stands.last_answer.zip(stands.first_call).map(|(last, first)| last.duration_since(first));
        took.filter(|took| !took.is_zero()).map_or(0.0, |took| stands.queued as f64 / took.as_secs_f64())
    }

    fn stands(&self) -> MutexGuard<'_, Stands> {
        self.stands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Policy: what the queue does with an outcome. The one place that decides it.
//!
//! [`decide`] says what becomes of the head, its device and its token; [`Breaker`] and [`of_probe`] what the outcome
//! says about the whole app (a [`Verdict`]). Whoever is asked first, the other acts on the outcome as judged: a verdict
//! against a token that can't be true is [`Outcome::Misconfigured`], which keeps row and token.

mod backoff;
mod breaker;
mod fault;
mod verdict;

pub use breaker::{Breaker, Judged, Seen};
pub use fault::{Pause, TOO_MANY_DEAD_TOKENS, TOO_MANY_UNANSWERED, TOO_MANY_UNLISTED, UNREADABLE_KEY};
pub use verdict::{Verdict, of_probe};

use std::time::Duration;

use pushwake::limits;
use pushwake::queue::Step;
use time::OffsetDateTime;

use crate::outcome::{Outcome, Reason};

/// What is known of a head when its outcome comes in.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    /// Attempts at it, this one included.
    pub attempts: i32,
    /// Attempts without an answer, this one included (the claim counted it in advance).
    pub unanswered: i32,
    /// What is left of its life, by the database's clock.
    pub left: Duration,
}

/// What to do about an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What becomes of the head.
    pub step: Step,
    /// The delay the provider asked for this device, whatever becomes of the head.
    pub rest: Option<Duration>,
    /// The token is dead.
    pub dead: Option<Dead>,
    /// The whole app is to be paused, after the finish has committed.
    pub pause: Option<Pause>,
}

/// A dead token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    /// The provider's reason.
    pub reason: Reason,
    /// The provider's own time of the verdict.
    pub dead_at: Option<OffsetDateTime>,
}

impl Decision {
    fn only(step: Step) -> Self {
        Self { step, rest: None, dead: None, pause: None }
    }
}

/// Decides what the queue does.
pub fn decide(outcome: &Outcome, tried: &Tried) -> Decision {
    let again = |asked: Option<Duration>, answered: bool| retry(asked, answered, tried);
    match outcome {
        Outcome::Delivered => Decision::only(Step::Complete),
        Outcome::Rejected { .. } => Decision::only(Step::Discard),
        Outcome::Unregistered { reason, dead_at } => {
            let dead = Dead { reason: reason.clone(), dead_at: *dead_at };
            Decision { dead: Some(dead), ..Decision::only(Step::Discard) }
        }
        // The pause holds the whole app back; a rest would outlive a probe that ends the pause early.
        Outcome::Throttled { whole_provider: true, .. } | Outcome::Misconfigured { .. } => {
            Decision { pause: Some(fault::pause_of(outcome)), ..Decision::only(again(None, true)) }
        }
        Outcome::Throttled { retry_after, .. } | Outcome::Unavailable { retry_after, .. } => {
            Decision { rest: *retry_after, ..Decision::only(again(*retry_after, true)) }
        }
        Outcome::Ambiguous { .. } if tried.unanswered >= limits::UNANSWERED => Decision::only(Step::Discard),
        Outcome::Ambiguous { .. } => Decision::only(again(None, false)),
    }
}

/// The provider was never asked: what is stored can't be sent.
pub fn is_unsent(outcome: &Outcome) -> bool {
    let Outcome::Rejected { reason, .. } = outcome else { return false };
    matches!(
        reason.as_ref(),
        "UnreadableTarget"
            | "UnsendableTarget"
            | "UnreadablePayload"
            | "UnbuildablePayload"
            | "ForbiddenEndpoint"
            | "ForbiddenAddress"
    )
}

/// A retry that would start at or past the expiry is the expiry.
fn retry(asked: Option<Duration>, answered: bool, tried: &Tried) -> Step {
    let after = backoff::after(tried.attempts, asked, rand::random());
    if after >= tried.left { Step::Expire } else { Step::Retry { after, answered } }
}

#[cfg(test)]
mod tests;

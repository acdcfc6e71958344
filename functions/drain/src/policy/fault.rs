//! Faults of a whole app, and the pauses they lead to.

use std::time::Duration;

use pushwake::limits::PAUSE_LONGEST;
pub use pushwake::queue::{TOO_MANY_DEAD_TOKENS, UNREADABLE_KEY};

use crate::outcome::{Outcome, Reason};

/// The reason in a pause whose app had too large a share of rejections that no table lists.
pub const TOO_MANY_UNLISTED: &str = "TooManyUnlistedRejections";
/// The reason in a pause whose provider takes requests and answers none.
pub const TOO_MANY_UNANSWERED: &str = "TooManyUnanswered";

/// A pause of an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The provider's reason, or the breaker's.
    pub reason: Reason,
    /// Not shorter than this.
    pub at_least: Option<Duration>,
}

/// Why a breaker opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The provider fails, or can't be reached.
    Away,
    /// Verdicts against tokens that can't be true.
    DeadTokens,
    /// Rejections that no table lists.
    Unlisted,
}

impl Fault {
    /// The fault a pause stands for, if it is one whose probe must not be believed.
    pub(super) fn of_pause(reason: &str) -> Option<Self> {
        match reason {
            TOO_MANY_DEAD_TOKENS => Some(Self::DeadTokens),
            TOO_MANY_UNLISTED => Some(Self::Unlisted),
            _ => None,
        }
    }

    /// The outcome to act on under this fault: what is ours costs no token and no row.
    pub(super) fn applied(self, outcome: Outcome) -> Outcome {
        match (self, &outcome) {
            (Self::DeadTokens, Outcome::Unregistered { .. }) => {
                Outcome::Misconfigured { reason: TOO_MANY_DEAD_TOKENS.into() }
            }
            (Self::Unlisted, Outcome::Rejected { listed: false, .. }) => {
                Outcome::Misconfigured { reason: TOO_MANY_UNLISTED.into() }
            }
            _ => outcome,
        }
    }

    /// The pause that begins with this outcome.
    pub(super) fn pause(self, outcome: &Outcome) -> Pause {
        match self {
            Self::DeadTokens => Pause { reason: TOO_MANY_DEAD_TOKENS.into(), at_least: None },
            Self::Unlisted => Pause { reason: TOO_MANY_UNLISTED.into(), at_least: None },
            Self::Away => pause_of(outcome),
        }
    }
}

/// The pause of an app whose provider fails with this outcome.
pub(super) fn pause_of(outcome: &Outcome) -> Pause {
    match outcome {
        // The delay was asked for one device, which rests so long whatever the pause says; others try again earlier.
        Outcome::Unavailable { reason, retry_after } => {
            Pause { reason: reason.clone(), at_least: retry_after.map(|delay| delay.min(PAUSE_LONGEST)) }
        }
        Outcome::Throttled { reason, retry_after, .. } => Pause { reason: reason.clone(), at_least: *retry_after },
        Outcome::Ambiguous { .. } => Pause { reason: TOO_MANY_UNANSWERED.into(), at_least: None },
        other => Pause { reason: other.reason().unwrap_or_default().to_owned().into(), at_least: None },
    }
}

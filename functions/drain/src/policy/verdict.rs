//! What one send says about its whole app.

use super::fault::{Fault, Pause, TOO_MANY_UNANSWERED, pause_of};
use super::is_unsent;
use crate::outcome::{Outcome, Reason};

/// What a send says about its whole app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It fails as a whole.
    Pause(Pause),
    /// The probe was answered: it works again.
    Resume,
    /// The probe came to nothing: another drain may try at once.
    GiveBack,
}

/// Judges the outcome of the one probe of an app that was paused for `reason`: the outcome to act on, and the verdict.
///
/// Any real answer ends a pause, none gives the probe back, and a provider that is still away keeps it. But an app that
/// was paused since its answers could not be true is not taken to be well because of one more of them: such a verdict
/// keeps the pause, the row and the token, and what says nothing about the fault gives the probe back.
pub fn of_probe(reason: &Reason, outcome: Outcome) -> (Outcome, Verdict) {
    let fault = Fault::of_pause(reason);
    let outcome = fault.map_or(outcome.clone(), |fault| fault.applied(outcome));
    let verdict = match (&outcome, fault) {
        (Outcome::Delivered, _) => Verdict::Resume,
        (
            Outcome::Misconfigured { .. }
            | Outcome::Unavailable { .. }
            | Outcome::Throttled { whole_provider: true, .. },
            _,
        ) => {
            let still = pause_of(&outcome);
            // Kept under its own reason: the next probe must not be believed either.
            Verdict::Pause(if fault.is_some() { Pause { reason: reason.clone(), ..still } } else { still })
        }
        (Outcome::Ambiguous { .. }, None) if reason == TOO_MANY_UNANSWERED => Verdict::Pause(pause_of(&outcome)),
        (Outcome::Ambiguous { .. }, _) => Verdict::GiveBack,
        (outcome, _) if is_unsent(outcome) => Verdict::GiveBack,
        (Outcome::Rejected { .. } | Outcome::Throttled { .. }, Some(Fault::DeadTokens)) => Verdict::GiveBack,
        _ => Verdict::Resume,
    };
    (outcome, verdict)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::fault::{TOO_MANY_DEAD_TOKENS, TOO_MANY_UNLISTED};
    use super::*;

    fn paused(reason: &'static str) -> Verdict {
        Verdict::Pause(Pause { reason: reason.into(), at_least: None })
    }

    fn dead() -> Outcome {
        Outcome::Unregistered { reason: "BadDeviceToken".into(), dead_at: None }
    }

    fn rejected(reason: &'static str, listed: bool) -> Outcome {
        Outcome::Rejected { reason: reason.into(), listed }
    }

    fn throttled(whole_provider: bool) -> Outcome {
        let retry_after = Some(Duration::from_mins(1));
        Outcome::Throttled { reason: "TooMany".into(), retry_after, whole_provider }
    }

    fn unavailable() -> Outcome {
        Outcome::Unavailable { reason: "Shutdown".into(), retry_after: None }
    }

    fn ambiguous() -> Outcome {
        Outcome::Ambiguous { reason: "Timeout".into() }
    }

    fn verdict(reason: &'static str, outcome: Outcome) -> Verdict {
        of_probe(&reason.into(), outcome).1
    }

    #[test]
    fn any_real_answer_to_a_probe_ends_a_pause() {
        for answered in [Outcome::Delivered, dead(), rejected("PayloadTooLarge", true), throttled(false)] {
            let (outcome, verdict) = of_probe(&"Shutdown".into(), answered.clone());
            assert_eq!((outcome, verdict), (answered, Verdict::Resume));
        }
    }

    #[test]
    fn no_answer_gives_the_probe_back_and_a_failing_provider_stays_paused() {
        assert_eq!(verdict("Shutdown", ambiguous()), Verdict::GiveBack);
        let unsent = rejected("UnreadablePayload", true);
        assert_eq!(verdict("Shutdown", unsent), Verdict::GiveBack, "the provider was never asked");
        assert_eq!(verdict("InvalidProviderToken", unavailable()), paused("Shutdown"));
        let misconfigured = Outcome::Misconfigured { reason: "InvalidProviderToken".into() };
        assert_eq!(verdict("Shutdown", misconfigured), paused("InvalidProviderToken"));
        let at_least = Some(Duration::from_mins(1));
        let whole = Verdict::Pause(Pause { reason: "TooMany".into(), at_least });
        assert_eq!(verdict("Shutdown", throttled(true)), whole);
        assert_eq!(verdict(TOO_MANY_UNANSWERED, ambiguous()), paused(TOO_MANY_UNANSWERED), "silence is what it is for");
    }

    #[test]
    fn c14_one_more_dead_token_under_a_pause_for_dead_tokens_marks_nothing_and_keeps_it() {
        let (outcome, verdict) = of_probe(&TOO_MANY_DEAD_TOKENS.into(), dead());
        assert_eq!(outcome, Outcome::Misconfigured { reason: TOO_MANY_DEAD_TOKENS.into() });
        assert_eq!(verdict, paused(TOO_MANY_DEAD_TOKENS));
    }

    #[test]
    fn c14_only_a_delivery_ends_a_pause_for_dead_tokens() {
        assert_eq!(verdict(TOO_MANY_DEAD_TOKENS, Outcome::Delivered), Verdict::Resume);
        for nothing in [ambiguous(), throttled(false), rejected("PayloadTooLarge", true)] {
            assert_eq!(verdict(TOO_MANY_DEAD_TOKENS, nothing), Verdict::GiveBack);
        }
        let misconfigured = Outcome::Misconfigured { reason: "InvalidProviderToken".into() };
        for still in [unavailable(), misconfigured] {
            assert_eq!(verdict(TOO_MANY_DEAD_TOKENS, still), paused(TOO_MANY_DEAD_TOKENS), "the reason is kept");
        }
        let at_least = Some(Duration::from_mins(1));
        let longer = Verdict::Pause(Pause { reason: TOO_MANY_DEAD_TOKENS.into(), at_least });
        assert_eq!(verdict(TOO_MANY_DEAD_TOKENS, throttled(true)), longer);
    }

    #[test]
    fn an_unlisted_rejection_under_a_pause_for_them_keeps_the_row_and_the_pause() {
        let (outcome, verdict) = of_probe(&TOO_MANY_UNLISTED.into(), rejected("Odd", false));
        assert_eq!(outcome, Outcome::Misconfigured { reason: TOO_MANY_UNLISTED.into() });
        assert_eq!(verdict, paused(TOO_MANY_UNLISTED));
        for answered in [dead(), rejected("PayloadTooLarge", true)] {
            assert_eq!(of_probe(&TOO_MANY_UNLISTED.into(), answered).1, Verdict::Resume);
        }
    }
}

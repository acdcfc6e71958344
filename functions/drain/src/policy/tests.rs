use super::*;

const LONG: Duration = Duration::from_hours(1);

fn tried(left: Duration) -> Tried {
    Tried { attempts: 1, unanswered: 1, left }
}

fn retried(decision: &Decision) -> (Duration, bool) {
    match decision.step {
        Step::Retry { after, answered } => (after, answered),
        other => panic!("not a retry: {other:?}"),
    }
}

#[test]
fn verdicts_end_a_head_and_only_a_dead_token_is_marked() {
    let delivered = decide(&Outcome::Delivered, &tried(LONG));
    assert_eq!(delivered, Decision::only(Step::Complete));
    let rejected = decide(&Outcome::Rejected { reason: "PayloadTooLarge".into(), listed: true }, &tried(LONG));
    assert_eq!(rejected, Decision::only(Step::Discard));
    let at = OffsetDateTime::UNIX_EPOCH;
    let gone = decide(&Outcome::Unregistered { reason: "Unregistered".into(), dead_at: Some(at) }, &tried(LONG));
    assert_eq!(gone.step, Step::Discard);
    assert_eq!(gone.dead, Some(Dead { reason: "Unregistered".into(), dead_at: Some(at) }));
}

#[test]
fn a_retry_keeps_the_providers_delay_and_rests_the_device() {
    let asked = Some(Duration::from_mins(1));
    for outcome in [
        Outcome::Throttled { reason: "TooManyRequests".into(), retry_after: asked, whole_provider: false },
        Outcome::Unavailable { reason: "ServiceUnavailable".into(), retry_after: asked },
    ] {
        let decision = decide(&outcome, &tried(LONG));
        assert_eq!(retried(&decision), (Duration::from_mins(1), true));
        assert_eq!((decision.rest, decision.pause), (asked, None));
    }
}

#[test]
fn at_or_past_the_expiry_a_retry_expires_and_the_device_still_rests() {
    let asked = Some(Duration::from_mins(1));
    let outcome = Outcome::Unavailable { reason: "Shutdown".into(), retry_after: asked };
    for (left, step_expires) in [(60, true), (59, true), (0, true), (61, false)] {
        let decision = decide(&outcome, &tried(Duration::from_secs(left)));
        assert_eq!(decision.step == Step::Expire, step_expires, "left {left}");
        assert_eq!(decision.rest, asked);
    }
}

#[test]
fn an_ambiguous_send_is_resent_twice_and_then_discarded() {
    let outcome = Outcome::Ambiguous { reason: "timeout".into() };
    for unanswered in 1..limits::UNANSWERED {
        let decision = decide(&outcome, &Tried { attempts: 9, unanswered, left: LONG });
        assert!(!retried(&decision).1, "an ambiguous answer is none");
    }
    let spent = Tried { attempts: 9, unanswered: limits::UNANSWERED, left: LONG };
    assert_eq!(decide(&outcome, &spent), Decision::only(Step::Discard));
}

#[test]
fn a_fault_of_ours_keeps_the_row_and_pauses_the_app() {
    let spent = Tried { attempts: 40, unanswered: limits::UNANSWERED, left: LONG };
    let decision = decide(&Outcome::Misconfigured { reason: "InvalidProviderToken".into() }, &spent);
    assert!(retried(&decision).1, "it was answered, so nothing of `unanswered` is spent");
    assert_eq!(decision.pause, Some(Pause { reason: "InvalidProviderToken".into(), at_least: None }));
    assert_eq!((decision.dead, decision.rest), (None, None));
}

#[test]
fn a_whole_provider_that_throttles_pauses_the_app_for_at_least_its_delay() {
    let asked = Some(Duration::from_mins(10));
    let reason = Reason::from("TooManyProviderTokenUpdates");
    let outcome = Outcome::Throttled { reason: reason.clone(), retry_after: asked, whole_provider: true };
    let decision = decide(&outcome, &tried(LONG));
    assert!(retried(&decision).0 < Duration::from_secs(3));
    assert_eq!((decision.rest, decision.pause), (None, Some(Pause { reason, at_least: asked })));
}

use super::*;

const BUDGET: Duration = Duration::from_secs(25);

fn pace() -> (Pace, Instant) {
    let now = Instant::now();
    (Pace::new(now, now + BUDGET), now)
}

#[test]
fn one_send_to_an_idle_queue_costs_two_claims() {
    let (mut pace, now) = pace();
    assert_eq!(pace.turn(false, now), Turn::Claim);
    pace.claimed(Came::Short, false, now);
    let answered = now + Duration::from_millis(150);
    assert!(matches!(pace.turn(true, answered), Turn::At(_)), "the send is in flight");
    pace.finished(false, answered);
    assert_eq!(pace.turn(false, answered), Turn::Claim);
    pace.claimed(Came::Empty, false, answered);
    assert_eq!(pace.turn(false, answered), Turn::Over(Ended::Idle));
}

#[test]
fn a_drain_that_finds_nothing_claims_once() {
    let (mut pace, now) = pace();
    pace.claimed(Came::Empty, false, now);
    assert_eq!(pace.turn(false, now), Turn::Over(Ended::Idle));
}

#[test]
fn a_full_claim_and_a_released_head_are_followed_at_once() {
    let (mut pace, now) = pace();
    pace.claimed(Came::Full, false, now);
    assert_eq!(pace.turn(true, now), Turn::Claim);
    pace.claimed(Came::Short, true, now);
    assert!(matches!(pace.turn(true, now), Turn::At(_)));
    pace.finished(true, now);
    assert_eq!(pace.turn(true, now), Turn::Claim);
}

#[test]
fn one_slow_send_does_not_keep_the_other_places_idle() {
    let (mut pace, now) = pace();
    pace.claimed(Came::Short, false, now);
    assert_eq!(pace.turn(true, now + RECLAIM_LONGEST), Turn::Claim);
}

#[test]
fn empty_claims_with_sends_in_flight_come_at_a_doubling_distance() {
    let (mut pace, mut now) = pace();
    for millis in [10, 20, 40, 80, 160, 200, 200] {
        pace.claimed(Came::Empty, true, now);
        let next = now + Duration::from_millis(millis);
        assert_eq!(pace.turn(true, now), Turn::At(next));
        now = next;
    }
    pace.claimed(Came::Short, true, now);
    pace.claimed(Came::Empty, true, now);
    assert_eq!(pace.turn(true, now), Turn::At(now + RECLAIM_FIRST));
}

#[test]
fn an_idle_drain_gives_way_only_after_its_attempts_are_spent() {
    let (mut pace, mut now) = pace();
    for _ in 0..CLAIM_ATTEMPTS {
        assert_eq!(pace.turn(false, now), Turn::Claim);
        pace.claimed(Came::InTheWay, false, now);
        assert_ne!(pace.turn(false, now), Turn::Claim, "it pauses first");
        now += CLAIM_RETRY * 2;
    }
    assert_eq!(pace.turn(false, now), Turn::Over(Ended::Yielded));
}

#[test]
fn locks_in_the_way_spend_no_attempt_while_sends_are_in_flight() {
    let (mut pace, now) = pace();
    for _ in 0..CLAIM_ATTEMPTS * 2 {
        pace.claimed(Came::InTheWay, true, now);
    }
    assert!(matches!(pace.turn(true, now), Turn::At(_)));
}

#[test]
fn a_claim_that_fails_once_is_tried_again_and_two_in_a_row_end_an_idle_drain() {
    let (mut pace, now) = pace();
    pace.claimed(Came::Failed, false, now);
    assert!(matches!(pace.turn(false, now), Turn::At(_)));
    pace.claimed(Came::Short, false, now);
    pace.claimed(Came::Failed, false, now);
    assert!(matches!(pace.turn(false, now), Turn::At(_)));
    pace.claimed(Came::Failed, false, now);
    assert!(matches!(pace.turn(true, now), Turn::At(_)), "what is in flight is finished, and then it may be back");
    assert_eq!(pace.turn(false, now), Turn::Over(Ended::Database));
}

#[test]
fn nothing_is_claimed_after_the_budget() {
    let (mut pace, now) = pace();
    pace.claimed(Came::Full, false, now);
    assert_eq!(pace.turn(true, now + BUDGET), Turn::Over(Ended::Budget));
    pace.finished(true, now + BUDGET);
    assert_eq!(pace.turn(false, now + BUDGET), Turn::Over(Ended::Budget));
}

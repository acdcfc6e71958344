use std::time::Duration;

use pushwake::function::metric::Metric;
use pushwake::queue::Step;

use super::*;
use crate::leases::tests::lease;

const PLACES: usize = 8;

fn answered(window: &mut Window, heads: std::ops::Range<i64>, now: Instant) {
    heads.for_each(|head| window.keep(Unfinished::new(lease(head), Step::Complete, Metric::Delivered, now)));
}

fn together(window: &mut Window, now: Instant) -> Vec<Unfinished> {
    match window.take_together(now) {
        Flush::Together(batch) => batch,
        Flush::Alone(_) => panic!("not alone"),
    }
}

/// A window with one send in flight, so that answers are worth waiting for.
fn window_in_flight() -> (Window, tokio::task::JoinSet<()>) {
    let mut sends = tokio::task::JoinSet::new();
    let mut window = Window::new(PLACES);
    window.sending(sends.spawn(std::future::pending()).id(), crate::attempt::tests::attempt(99));
    (window, sends)
}

#[tokio::test]
async fn a_quarter_is_finished_at_once_and_fewer_after_a_moment() {
    let ((mut window, _sends), now) = (window_in_flight(), Instant::now());
    assert_eq!(window.finish_at(false, now), None);
    answered(&mut window, 0..1, now);
    assert_eq!(window.finish_at(false, now), Some(now + FINISH_AFTER));
    answered(&mut window, 1..2, now);
    assert_eq!(window.finish_at(false, now), Some(now));
    assert_eq!(together(&mut window, now).len(), 2);
    assert_eq!(window.finish_at(false, now), None);
}

#[test]
fn the_last_answer_waits_for_no_other() {
    let (mut window, now) = (Window::new(PLACES), Instant::now());
    answered(&mut window, 0..1, now);
    assert_eq!(window.finish_at(false, now), Some(now));
}

#[test]
fn a_locked_lane_is_tried_three_times_and_then_waited_for_alone() {
    let (mut window, mut now) = (Window::new(PLACES), Instant::now());
    answered(&mut window, 0..1, now);
    for _ in 0..SKIPS_BEFORE_WAIT {
        assert_eq!(window.wait_at(), None);
        let mut skipped = together(&mut window, now).pop().expect("due");
        skipped.skipped(now);
        window.keep(skipped);
        window.finish_over();
        now += SKIPPED_RETRY;
    }
    assert_eq!(window.finish_at(false, now), None, "it no longer holds the others up");
    assert!(window.wait_at().is_some_and(|at| at <= now - SKIPPED_RETRY), "at once after the third");
    let Some(Flush::Alone(mut one)) = window.take_alone() else { panic!("alone") };
    let mut pauses = Vec::new();
    for _ in 0..6 {
        one.skipped(now);
        pauses.push((one.not_before - now).as_millis());
    }
    assert_eq!(pauses, [250, 500, 1000, 2000, 2000, 2000]);
}

#[test]
fn a_skipped_lane_is_not_tried_early_because_others_are_done() {
    let (mut window, now) = (Window::new(PLACES), Instant::now());
    answered(&mut window, 0..1, now);
    let mut skipped = together(&mut window, now).pop().expect("due");
    skipped.skipped(now);
    window.keep(skipped);
    answered(&mut window, 1..3, now);
    assert_eq!(together(&mut window, now).iter().map(|one| one.finish.lease.head).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(window.finish_at(false, now), Some(now + SKIPPED_RETRY));
}

#[tokio::test]
async fn a_claim_needs_a_quarter_of_the_window_or_an_idle_one() {
    let mut sends = tokio::task::JoinSet::<()>::new();
    let mut window = Window::new(PLACES);
    assert_eq!((window.free(), window.has_room()), (8, true));
    for head in 0..7 {
        window.sending(sends.spawn(std::future::pending()).id(), crate::attempt::tests::attempt(head));
    }
    assert_eq!((window.free(), window.has_room(), window.is_full()), (1, false, false));
    assert!(Window::new(1).has_room());
}

#[test]
fn stuck_lanes_cost_no_place_until_they_are_as_many_as_the_window() {
    let (mut window, now) = (Window::new(PLACES), Instant::now());
    answered(&mut window, 0..8, now);
    assert_eq!(window.free(), 8);
    answered(&mut window, 8..12, now);
    assert_eq!(window.free(), 4);
    answered(&mut window, 12..16, now);
    assert_eq!((window.free(), window.has_room()), (0, false));
    assert_eq!(together(&mut window, now + Duration::from_millis(1)).len(), 16);
    assert_eq!(window.free(), 0, "what a finish under way holds is still held");
    window.finish_over();
    assert_eq!(window.free(), 8);
}

#[tokio::test]
async fn a_full_window_with_more_due_waits_for_a_quarter() {
    let mut sends = tokio::task::JoinSet::<()>::new();
    let (mut window, now) = (Window::new(PLACES), Instant::now());
    for head in 0..7 {
        window.sending(sends.spawn(std::future::pending()).id(), crate::attempt::tests::attempt(head));
    }
    answered(&mut window, 7..8, now);
    assert_eq!(window.finish_at(false, now), Some(now + FINISH_AFTER));
    assert_eq!(window.finish_at(true, now), Some(now + FINISH_AFTER_FULL));
    answered(&mut window, 8..9, now);
    assert_eq!(window.finish_at(true, now), Some(now));
}

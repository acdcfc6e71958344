use std::time::Duration;

use super::super::fault::{TOO_MANY_DEAD_TOKENS, TOO_MANY_UNANSWERED, TOO_MANY_UNLISTED};
use super::*;

/// One app's breaker, and a clock that only rounds move.
struct Watched {
    breaker: Breaker,
    now: Instant,
    device: usize,
}

impl Watched {
    fn new() -> Self {
        let now = Instant::now();
        Self { breaker: Breaker::new(now), now, device: 0 }
    }

    /// Sends that are in flight together, each of a device of its own.
    fn round(&mut self, outcomes: impl IntoIterator<Item = Outcome>) -> Vec<Judged> {
        let started = self.now;
        let judged = outcomes.into_iter().map(|outcome| {
            self.now += Duration::from_millis(1);
            self.device += 1;
            let device = DeviceId::from(format!("d{}", self.device));
            self.breaker.judge(outcome, &Seen { device: &device, claimed: started, started, now: self.now })
        });
        let judged = judged.collect();
        self.now += Duration::from_millis(1);
        judged
    }

    /// Sends one after the other to one device.
    fn same_device(&mut self, outcomes: impl IntoIterator<Item = Outcome>) -> Vec<Judged> {
        let devices = self.device;
        outcomes
            .into_iter()
            .flat_map(|outcome| {
                self.device = devices;
                self.round([outcome])
            })
            .collect()
    }
}

fn dead() -> Outcome {
    Outcome::Unregistered { reason: "BadDeviceToken".into(), dead_at: None }
}

fn failed() -> Outcome {
    Outcome::Unavailable { reason: "Shutdown".into(), retry_after: None }
}

fn silent() -> Outcome {
    Outcome::Ambiguous { reason: "Timeout".into() }
}

fn rejected(listed: bool) -> Outcome {
    Outcome::Rejected { reason: "Odd".into(), listed }
}

/// What it opened for, and with which of the outcomes.
fn opened(judged: &[Judged]) -> Option<(usize, &str)> {
    judged.iter().enumerate().find_map(|(nth, one)| Some((nth, one.opened.as_ref()?.reason.as_ref())))
}

fn count(judged: &[Judged], name: &str) -> usize {
    judged.iter().filter(|one| one.outcome.name() == name).count()
}

#[test]
fn c14_wrong_environment_opens_it_at_the_fiftieth_send_and_the_others_were_doubtful() {
    let judged = Watched::new().round(std::iter::repeat_n(dead(), 100));
    assert_eq!(opened(&judged), Some((49, TOO_MANY_DEAD_TOKENS)));
    assert!(judged[..49].iter().all(|one| one.doubtful && one.outcome == dead()));
    assert_eq!(count(&judged[49..], "misconfigured"), 51, "what was in flight marks nothing either");
    assert!(judged[50..].iter().all(|one| one.opened.is_none() && !one.doubtful), "one pause");
}

#[test]
fn a_fifth_of_dead_tokens_is_still_believed() {
    let mixed = (0..500).map(|n| if n % 5 == 4 { dead() } else { Outcome::Delivered });
    let judged = Watched::new().round(mixed);
    assert_eq!((opened(&judged), count(&judged, "unregistered")), (None, 100));
    assert!(judged.iter().all(|one| !one.doubtful));
}

#[test]
fn a_dead_token_is_doubtful_until_enough_is_delivered() {
    let mut watched = Watched::new();
    assert!(watched.round([dead()])[0].doubtful);
    watched.round(std::iter::repeat_n(Outcome::Delivered, 3));
    assert!(!watched.breaker.believes());
    watched.round([Outcome::Delivered]);
    assert!(watched.breaker.believes());
}

#[test]
fn what_is_started_after_a_pause_is_judged_afresh() {
    let mut watched = Watched::new();
    watched.round(std::iter::repeat_n(dead(), 60));
    let judged = watched.round([dead(), Outcome::Delivered]);
    assert_eq!(judged[0].outcome, dead());
    assert!(watched.round(std::iter::repeat_n(dead(), 60)).iter().any(|one| one.opened.is_some()));
}

#[test]
fn a_burst_of_unlisted_rejections_is_ours_and_listed_ones_are_not() {
    let judged = Watched::new().round(std::iter::repeat_n(rejected(false), 60));
    assert_eq!(opened(&judged), Some((49, TOO_MANY_UNLISTED)));
    assert_eq!(opened(&Watched::new().round(std::iter::repeat_n(rejected(true), 60))), None);
}

#[test]
fn c08_ten_devices_that_fail_in_a_row_open_it_with_the_second_round() {
    for (outcome, reason) in [(failed(), "Shutdown"), (silent(), TOO_MANY_UNANSWERED)] {
        let mut watched = Watched::new();
        assert_eq!(opened(&watched.round(std::iter::repeat_n(outcome.clone(), 6))), None);
        let judged = watched.round(std::iter::repeat_n(outcome.clone(), 6));
        assert_eq!(opened(&judged), Some((3, reason)));
        assert!(judged.iter().all(|one| one.outcome == outcome), "rows are tried again as ever");
    }
}

#[test]
fn one_lost_connection_opens_nothing() {
    let mut watched = Watched::new();
    assert_eq!(opened(&watched.round(std::iter::repeat_n(silent(), 84))), None);
    assert_eq!(opened(&watched.round([Outcome::Delivered, failed()])), None);
}

#[test]
fn one_device_that_fails_again_and_again_opens_nothing() {
    assert_eq!(opened(&Watched::new().same_device(std::iter::repeat_n(failed(), 40))), None);
}

#[test]
fn any_real_answer_ends_a_row() {
    let throttled = Outcome::Throttled { reason: "TooMany".into(), retry_after: None, whole_provider: false };
    for answer in [Outcome::Delivered, dead(), rejected(true), throttled] {
        let mut watched = Watched::new();
        for _ in 0..5 {
            let mixed = std::iter::repeat_n(failed(), 4).chain(std::iter::repeat_n(answer.clone(), 5));
            assert_eq!(opened(&watched.round(mixed)), None);
        }
    }
}

#[test]
fn what_was_never_sent_is_no_answer() {
    let unsent = Outcome::Rejected { reason: "UnreadablePayload".into(), listed: true };
    let mut watched = Watched::new();
    watched.round(std::iter::repeat_n(failed(), 9).chain([unsent]));
    assert!(opened(&watched.round([failed()])).is_some());
}

#[test]
fn more_than_half_of_fifty_sends_open_it_even_when_others_are_delivered() {
    let mixed = |failing: usize| (0..12).map(move |n| if n % 4 >= 4 - failing { failed() } else { Outcome::Delivered });
    let mut watched = Watched::new();
    let rounds: Vec<_> = (0..5).flat_map(|_| watched.round(mixed(3))).collect();
    assert_eq!(opened(&rounds).map(|(nth, _)| nth), Some(49));
    let mut watched = Watched::new();
    assert_eq!(opened(&(0..40).flat_map(|_| watched.round(mixed(2))).collect::<Vec<_>>()), None, "half is not more");
}

#[test]
fn failures_are_counted_a_minute_long() {
    let mut watched = Watched::new();
    watched.round(std::iter::repeat_n(failed(), 9));
    watched.now += WINDOW;
    assert_eq!(opened(&watched.round([failed()])), None);
}

#[test]
fn a_pause_for_failures_lasts_what_the_provider_asks_up_to_the_longest() {
    for (asked, at_least) in [(20, 20), (7200, 600)] {
        let outcome = Outcome::Unavailable { reason: "Shutdown".into(), retry_after: Some(Duration::from_secs(asked)) };
        let mut watched = Watched::new();
        watched.round(std::iter::repeat_n(outcome.clone(), 10));
        let judged = watched.round([outcome]);
        let pause = judged[0].opened.clone().expect("open");
        assert_eq!(pause.at_least, Some(Duration::from_secs(at_least)));
    }
}

#[test]
fn c14_what_was_claimed_before_it_opened_marks_nothing_however_late_it_starts() {
    let mut watched = Watched::new();
    let claimed = watched.now;
    watched.round((0..50).map(|_| dead()));
    let (device, started) = (DeviceId::from("late"), watched.now + Duration::from_millis(1));
    let judged = watched.breaker.judge(dead(), &Seen { device: &device, claimed, started, now: started });
    assert!(matches!(judged.outcome, Outcome::Misconfigured { .. }), "{judged:?}");
}

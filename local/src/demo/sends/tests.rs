use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn arrival(place: usize, start: Instant, fate: Fate) -> Arrival {
    Arrival { place: Some(place), start, end: Some((start, fate)) }
}

fn read(fates: &[(usize, Fate)], loses_answer: bool) -> Sends {
    let start = Instant::now();
    let arrivals: Vec<_> = fates.iter().map(|(place, fate)| arrival(*place, start + SECOND, *fate)).collect();
    Sends::read(&arrivals, &[Some(start); 3], |_| loses_answer)
}

#[test]
fn a_send_after_one_without_an_answer_is_ambiguous_and_after_a_refusal_is_not() {
    let fates = [(0, Fate::Unanswered), (1, Fate::Refused), (0, Fate::Delivered), (1, Fate::Delivered)];
    let sends = read(&fates, false);
    assert_eq!((sends.refused, sends.retried), (1, 2));
    assert_eq!((sends.ambiguous_resends, sends.delivered_twice), (1, 0));
    assert_eq!((sends.deliveries.len(), sends.latencies), (2, vec![SECOND; 2]));
}

#[test]
fn a_second_delivery_is_allowed_only_after_an_answer_that_may_be_lost() {
    let twice = [(0, Fate::Delivered), (0, Fate::Delivered)];
    let sends = |lost| read(&twice, lost);
    assert_eq!((sends(true).ambiguous_resends, sends(true).delivered_twice), (1, 1));
    assert_eq!((sends(false).ambiguous_resends, sends(false).delivered_twice), (0, 0));
    assert_eq!(sends(false).latencies.len(), 1, "of the first alone");
}

#[test]
fn sends_without_an_answer_are_bounded_for_each_notification() {
    let sends = read(&[(0, Fate::Unanswered), (1, Fate::Unanswered)].repeat(3), false);
    assert_eq!((sends.ambiguous_resends, sends.unanswered_too_often), (4, 0));
    assert_eq!(read(&[(0, Fate::Unanswered)].repeat(5), false).unanswered_too_often, 2);
}

#[test]
fn the_rate_leaves_the_first_and_the_last_tenth_out() {
    let start = Instant::now();
    let even = (0..100).map(|n| start + Duration::from_millis(10 * n));
    let mut sends = Sends { deliveries: even.collect(), ..Sends::default() };
    assert!((sends.rate() - 100.0).abs() < 1e-6);
    sends.deliveries.push(start + Duration::from_hours(1));
    assert!((sends.rate() - 100.0).abs() < 1e-6);
    sends.deliveries.truncate(1);
    assert!(sends.rate().abs() < 1e-6, "not a number without two deliveries");
}

#[test]
fn percentiles_are_nearest_ranks() {
    let mut sends = Sends { latencies: (1..=100).map(Duration::from_millis).collect(), ..Sends::default() };
    let rank = |sends: &Sends, share: f64| sends.latency_ms(share).round() as u64;
    assert_eq!((rank(&sends, 0.5), rank(&sends, 0.99)), (50, 99));
    sends.latencies.truncate(1);
    assert_eq!((rank(&sends, 0.5), rank(&sends, 0.99)), (1, 1));
    assert_eq!(rank(&Sends::default(), 0.5), 0);
}

#[test]
fn the_peak_is_that_of_one_moment() {
    let start = Instant::now();
    let flight = |from: u32, to: Option<u32>| Arrival {
        place: None,
        start: start + from * SECOND,
        end: to.map(|to| (start + to * SECOND, Fate::Delivered)),
    };
    let flights = [flight(0, Some(3)), flight(3, Some(5)), flight(1, Some(2)), flight(4, None)];
    assert_eq!(peak(flights.iter()), 2);
    assert_eq!(peak([].iter()), 0);
}

use super::*;

#[derive(Clone, Debug)]
struct Device(String);

impl Asking for Device {
    fn device(&self) -> &str {
        &self.0
    }

    fn known_by(&self) -> Option<&str> {
        None
    }
}

fn begin(ledger: &Arc<Ledger<Device>>, device: &str, n: u64) -> Flight<Device> {
    ledger.begin(1, Device(device.to_owned()), Bytes::new(), Some(n))
}

fn answered(status: u16) -> End {
    End::Answered { status, reason: None }
}

#[test]
fn one_after_another_is_no_second_flight() {
    let ledger = Arc::default();
    for n in 0..3 {
        begin(&ledger, "a", n).end(answered(200));
    }
    let tally = ledger.tally();
    assert_eq!((tally.delivered, tally.second_flights, tally.order_violations, tally.duplicates), (3, 0, 0, 0));
    assert_eq!((tally.in_flight, tally.peak_in_flight), (0, 1));
}

#[test]
fn two_at_once_are_one_and_other_devices_are_none() {
    let ledger = Arc::default();
    let (first, other) = (begin(&ledger, "a", 1), begin(&ledger, "b", 1));
    let second = begin(&ledger, "a", 2);
    assert_eq!(ledger.tally().peak_in_flight, 3);
    for flight in [first, other, second] {
        flight.end(answered(200));
    }
    assert_eq!(ledger.tally().second_flights, 1);
}

#[test]
fn a_flight_that_was_lost_just_before_is_forgiven_and_one_still_in_the_air_is_not() {
    let ledger = Arc::default();
    let lost = begin(&ledger, "a", 1);
    let next = begin(&ledger, "a", 1);
    drop(lost);
    next.end(answered(200));
    assert_eq!(ledger.tally().second_flights, 0);

    let hung = begin(&ledger, "a", 2);
    ledger.lock().overlapped.insert(hung.id, vec![Instant::now().checked_sub(GRACE * 2).expect("a past")]);
    assert_eq!(ledger.tally().second_flights, 1);
    hung.end(End::Reset);
    assert_eq!(ledger.tally().second_flights, 1);
}

#[test]
fn order_and_duplicates_go_by_the_number_in_the_body() {
    let ledger = Arc::default();
    for (n, status) in [(1, 503), (1, 200), (2, 200), (2, 200), (1, 200)] {
        begin(&ledger, "a", n).end(answered(status));
    }
    let tally = ledger.tally();
    assert_eq!((tally.requests, tally.accepted, tally.delivered), (5, 4, 2));
    assert_eq!((tally.duplicates, tally.order_violations), (2, 1));
}

use drain::outcome::{Outcome, Sent};
use local::apns::{Gate, Options, Reply};
use tokio::task::JoinHandle;

use crate::raw::RawServer;
use crate::rig::{Client, Rig, device, named};

/// Ten sends in flight on the first connection of a server that speaks frame by frame.
async fn ten_open(rig: &Rig) -> (RawServer, Client, Vec<JoinHandle<Sent>>) {
    let (server, client) = rig.raw().await;
    let sends = (0..10).map(|i| client.start_send(&device(i), 1)).collect();
    (server, client, sends)
}

async fn outcomes(sends: Vec<JoinHandle<Sent>>) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for send in sends {
        outcomes.push(send.await.expect("no panic").outcome);
    }
    outcomes
}

#[tokio::test]
async fn c06_go_away_resends_what_lies_above_the_last_id_once_on_a_new_connection() {
    let rig = Rig::start(Options::default()).await;
    let (server, client, sends) = ten_open(&rig).await;
    let mut old = server.accept().await;
    while old.requests.len() < 10 {
        old.request().await.expect("a request");
    }
    old.go_away(5).await;
    let mut new = server.accept().await;
    for stream in [1, 3, 5] {
        old.deliver(stream).await;
    }
    for _ in 0..7 {
        let stream = new.request().await.expect("a request that lay above 5");
        new.deliver(stream).await;
    }
    assert!(outcomes(sends).await.iter().all(|outcome| *outcome == Outcome::Delivered));

    let next = client.start_send(&device(10), 1);
    let stream = new.request().await.expect("a request");
    new.deliver(stream).await;
    assert_eq!(next.await.expect("no panic").outcome, Outcome::Delivered);
    assert_eq!((old.requests.len(), new.requests.len()), (10, 8), "nothing new used the old one");
}

#[tokio::test]
async fn streams_up_to_the_last_id_are_ambiguous_when_the_connection_ends_before_their_answers() {
    let rig = Rig::start(Options::default()).await;
    let (server, _client, sends) = ten_open(&rig).await;
    let mut old = server.accept().await;
    while old.requests.len() < 10 {
        old.request().await.expect("a request");
    }
    old.go_away(5).await;
    drop(old);
    let mut new = server.accept().await;
    for _ in 0..7 {
        let stream = new.request().await.expect("a request that lay above 5");
        new.deliver(stream).await;
    }
    let outcomes = outcomes(sends).await;
    let ambiguous = outcomes.iter().filter(|outcome| named(outcome) == ("ambiguous", "ConnectionLost")).count();
    let delivered = outcomes.iter().filter(|outcome| **outcome == Outcome::Delivered).count();
    assert_eq!((ambiguous, delivered), (3, 7));
}

#[tokio::test]
async fn a_graceful_go_away_lets_what_is_in_flight_finish() {
    let rig = Rig::start(Options::default()).await;
    let gate = Gate::closed();
    for i in 0..10 {
        rig.server.script(&device(i), [Reply::delivered().behind(&gate)]);
    }
    let sends: Vec<_> = (0..10).map(|i| rig.client.start_send(&device(i), 1)).collect();
    rig.server.wait_until(|tally| tally.in_flight == 10).await;
    rig.server.go_away();
    // The GOAWAY may come after some of these, but none of them is lost by it.
    let mut others = 0;
    while rig.server.tally().connections == 1 {
        others += 1;
        assert_eq!(rig.client.send(&device(10), others).await.outcome, Outcome::Delivered);
    }
    gate.open();
    assert!(outcomes(sends).await.iter().all(|outcome| *outcome == Outcome::Delivered));
    rig.server.wait_until(|tally| tally.connections_open == 1).await;
    assert_eq!(rig.server.tally().requests, 10 + others.unsigned_abs(), "nothing was resent");
}

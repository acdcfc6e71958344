use std::time::{Duration, Instant};

use drain::outcome::Outcome;
use local::apns::Options;

use crate::proxy::Proxy;
use crate::rig::{Client, Rig, device};

/// What a freeze is to the client: wall-clock time in which nothing happened. Longer than the bound of a session.
async fn freeze() {
    tokio::time::sleep(Duration::from_millis(1100)).await;
}

#[tokio::test]
async fn c03_dead_connection_after_a_freeze_is_replaced_before_anything_is_written() {
    let rig = Rig::start(Options::default()).await;
    let proxy = Proxy::start(&rig.server.base_url()).await;
    let client = Client::of(&rig.server, rig.folder.path(), Some(&proxy.base_url()));
    assert_eq!(client.send(&device(1), 1).await.outcome, Outcome::Delivered);

    proxy.silence();
    freeze().await;
    let began = Instant::now();
    let sends: Vec<_> = (1..=20).map(|i| client.start_send(&device(i), 2)).collect();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    assert!(began.elapsed() < Duration::from_secs(6), "a PING gave the dead connection away, not a send");
    assert_eq!((rig.server.tally().requests, proxy.connections()), (21, 2));
}

#[tokio::test]
async fn a_live_connection_survives_a_freeze() {
    let rig = Rig::start(Options::default()).await;
    for n in 1..=3 {
        assert_eq!(rig.client.send(&device(1), n).await.outcome, Outcome::Delivered);
        freeze().await;
    }
    assert_eq!(rig.server.tally().connections, 1);
}

#[tokio::test]
async fn a_connection_closed_meanwhile_is_replaced_and_nothing_is_resent() {
    let rig = Rig::start(Options::default()).await;
    assert_eq!(rig.client.send(&device(1), 1).await.outcome, Outcome::Delivered);
    rig.server.drop_connections();
    rig.server.wait_until(|tally| tally.connections_open == 0).await;
    freeze().await;
    assert_eq!(rig.client.send(&device(1), 2).await.outcome, Outcome::Delivered);
    let tally = rig.server.tally();
    assert_eq!((tally.requests, tally.connections), (2, 2));
}

//! A server that changes its mind about how many streams it takes, and one that is asked whether it is still there.

use std::time::Duration;

use drain::outcome::{Outcome, Sent};
use local::apns::Options;
use tokio::task::JoinHandle;

use crate::raw::{HEADERS, PING};
use crate::rig::{Rig, device};

async fn delivered(sends: impl IntoIterator<Item = JoinHandle<Sent>>) {
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
}

#[tokio::test]
async fn settings_that_shrink_to_one_stream_and_grow_again_are_kept_and_the_rest_waits_here() {
    let rig = Rig::start(Options::default()).await;
    let (server, client) = rig.raw().await;
    let first = client.start_send(&device(0), 1);
    let mut connection = server.accept().await;
    let stream = connection.request().await.expect("a request");
    connection.allow(1).await;
    let sends: Vec<_> = (1..=12).map(|i| client.start_send(&device(i), 1)).collect();
    assert_eq!(connection.requests_so_far().await, 1, "the one stream is taken");
    connection.deliver(stream).await;
    delivered([first]).await;

    // One after the other.
    for nth in 2..=3 {
        let stream = connection.request().await.expect("a request");
        assert_eq!(connection.requests_so_far().await, nth);
        connection.deliver(stream).await;
    }
    // The fourth is open; four more come as soon as they may.
    let fourth = connection.request().await.expect("a request");
    connection.allow(5).await;
    let mut open = vec![fourth];
    while open.len() < 5 {
        let stream = connection.requests.get(3 + open.len()).copied();
        open.push(match stream {
            Some(stream) => stream,
            None => connection.request().await.expect("a request"),
        });
    }
    assert_eq!(connection.requests_so_far().await, 8, "and no fifth beside them");

    // Five are open where one is allowed now: none comes before they are all answered.
    connection.allow(1).await;
    let (last, others) = open.split_last().expect("five");
    for stream in others {
        connection.deliver(*stream).await;
    }
    assert_eq!(connection.requests_so_far().await, 8);
    connection.deliver(*last).await;
    for nth in 9..=13 {
        let stream = connection.request().await.expect("a request");
        assert_eq!(connection.requests_so_far().await, nth);
        connection.deliver(stream).await;
    }
    delivered(sends).await;
}

#[tokio::test]
async fn a_connection_that_was_idle_is_pinged_before_a_request_is_written_to_it() {
    let rig = Rig::start(Options::default()).await;
    let (server, client) = rig.raw().await;
    let first = client.start_send(&device(0), 1);
    let mut connection = server.accept().await;
    let stream = connection.request().await.expect("a request");
    connection.deliver(stream).await;
    delivered([first]).await;
    let seen = connection.frames.len();
    // What a freeze is to the client: longer than the bound of a session.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let second = client.start_send(&device(1), 1);
    let stream = connection.request().await.expect("on the same connection");
    connection.deliver(stream).await;
    delivered([second]).await;
    let asked = connection.frames[seen..].iter().position(|frame| *frame == (PING, false));
    let wrote = connection.frames[seen..].iter().position(|(kind, _)| *kind == HEADERS);
    assert!(asked.is_some() && asked < wrote, "{:?}", &connection.frames[seen..]);
}

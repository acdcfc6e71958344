use std::time::Duration;

use drain::outcome::Outcome;
use local::apns::{End, Options, Reply};
use pushwake::limits;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::rig::{Client, Rig, device, named};

#[tokio::test]
async fn c40_silent_provider_is_given_up_after_the_send_timeout_and_others_go_on() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script(&device(0), [Reply::hang()]);
    let silent = rig.client.start_send(&device(0), 1);
    rig.server.wait_until(|tally| tally.in_flight == 1).await;
    for i in 1..=50 {
        assert_eq!(rig.client.send(&device(i), 1).await.outcome, Outcome::Delivered);
    }
    assert!(!silent.is_finished());
    let sent = silent.await.expect("no panic");
    assert_eq!(named(&sent.outcome), ("ambiguous", "Timeout"));
    let over = sent.took.checked_sub(limits::SEND_TIMEOUT).expect("not before the time-out");
    assert!(over < limits::LEASE_MARGIN, "the lease still covers the finish");

    rig.server.wait_until(|tally| tally.in_flight == 0).await;
    assert!(matches!(rig.server.requests_of(&device(0))[0].end, Some((_, End::Reset))), "its stream was reset");
    assert_eq!(rig.server.tally().connections, 1);
}

#[tokio::test]
async fn a_server_that_accepts_and_says_nothing_is_unavailable_within_the_send_timeout() {
    let rig = Rig::start(Options::default()).await;
    let mute = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = mute.local_addr().expect("bound");
    let accepting = tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = mute.accept().await {
            open.push(tokio::spawn(async move { while matches!(stream.read(&mut [0; 1024]).await, Ok(1..)) {} }));
        }
    });
    let client = Client::of(&rig.server, rig.folder.path(), Some(&format!("https://{address}")));
    let sends: Vec<_> = (0..20).map(|i| client.start_send(&device(i), 1)).collect();
    for send in sends {
        let sent = send.await.expect("no panic");
        assert_eq!(named(&sent.outcome), ("unavailable", "ConnectTimeout"));
        assert!(sent.took < limits::SEND_TIMEOUT + Duration::from_secs(2));
    }
    accepting.abort();
}

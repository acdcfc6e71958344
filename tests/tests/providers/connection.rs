use drain::outcome::Outcome;
use local::apns::{End, Options, Reply, Server};
use tokio::net::TcpListener;

use crate::rig::{Client, Rig, device, named};

#[tokio::test]
async fn all_sends_of_an_instance_share_one_connection() {
    let rig = Rig::start(Options::default()).await;
    rig.server.gate().close();
    let sends: Vec<_> = (0..84).map(|i| rig.client.start_send(&device(i), 1)).collect();
    rig.server.wait_until(|tally| tally.in_flight == 84).await;
    rig.server.gate().open();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    let tally = rig.server.tally();
    assert_eq!((tally.connections, tally.peak_in_flight, tally.delivered), (1, 84, 84));
}

#[tokio::test]
async fn the_limit_on_streams_is_kept_and_the_rest_waits_here() {
    let rig = Rig::start(Options { streams: 5, ..Options::default() }).await;
    rig.server.gate().close();
    let sends: Vec<_> = (0..40).map(|i| rig.client.start_send(&device(i), 1)).collect();
    rig.server.wait_until(|tally| tally.in_flight == 5).await;
    rig.server.gate().open();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    let tally = rig.server.tally();
    assert_eq!((tally.connections, tally.peak_in_flight, tally.requests), (1, 5, 40));
}

#[tokio::test]
async fn a_refused_stream_is_resent_once() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script(&device(1), [Reply::refuse()]);
    assert_eq!(rig.client.send(&device(1), 1).await.outcome, Outcome::Delivered);
    rig.server.script(&device(2), [Reply::refuse(), Reply::refuse()]);
    assert_eq!(named(&rig.client.send(&device(2), 1).await.outcome), ("unavailable", "RefusedStream"));
    assert_eq!(rig.server.tally().requests, 4);
}

#[tokio::test]
async fn c07_ambiguous_when_closed_without_an_answer_and_never_resent_here() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script(&device(1), vec![Reply::close(); 5]);
    for _ in 0..5 {
        assert_eq!(named(&rig.client.send(&device(1), 1).await.outcome), ("ambiguous", "ConnectionLost"));
    }
    assert_eq!(rig.client.send(&device(1), 1).await.outcome, Outcome::Delivered);
    let requests = rig.server.requests_of(&device(1));
    assert_eq!(requests.len(), 6);
    assert!(requests.iter().all(|request| request.asked.apns_id == requests[0].asked.apns_id));
    assert!(requests.iter().all(|request| request.asked.collapse_id == requests[0].asked.collapse_id));
}

#[tokio::test]
async fn a_reset_after_the_body_is_ambiguous() {
    let rig = Rig::start(Options::default()).await;
    // INTERNAL_ERROR
    rig.server.script(&device(1), [Reply::reset(2)]);
    assert_eq!(named(&rig.client.send(&device(1), 1).await.outcome), ("ambiguous", "StreamReset"));
    assert_eq!(rig.server.tally().requests, 1);
}

#[tokio::test]
async fn a_dropped_send_resets_its_stream() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script(&device(1), [Reply::hang()]);
    let send = rig.client.start_send(&device(1), 1);
    rig.server.wait_until(|tally| tally.in_flight == 1).await;
    send.abort();
    rig.server.wait_until(|tally| tally.in_flight == 0).await;
    assert!(matches!(rig.server.requests()[0].end, Some((_, End::Reset))));
    assert_eq!(rig.client.send(&device(2), 1).await.outcome, Outcome::Delivered);
    assert_eq!(rig.server.tally().connections, 1);
}

#[tokio::test]
async fn nobody_there_is_unavailable() {
    let rig = Rig::start(Options::default()).await;
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("bound");
    let client = Client::of(&rig.server, rig.folder.path(), Some(&format!("https://{closed}")));
    assert_eq!(named(&client.send(&device(1), 1).await.outcome), ("unavailable", "ConnectFailed"));
}

#[tokio::test]
async fn c14s_tls_a_strangers_certificate_a_wrong_name_and_plaintext_all_fail() {
    let rig = Rig::start(Options::default()).await;
    let credentials = rig.server.write_credentials(rig.folder.path()).expect("written");
    let stranger = Server::start(Options::default()).await.expect("another server");
    let plain = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let plain_port = plain.local_addr().expect("bound").port();
    let greeting = tokio::spawn(async move {
        while let Ok((stream, _)) = plain.accept().await {
            let _ = stream.try_write(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let forwarded = crate::proxy::Proxy::start_at("127.0.0.2", &rig.server.base_url()).await;
    for base_url in [stranger.base_url(), format!("https://127.0.0.1:{plain_port}"), forwarded.base_url()] {
        let mut settings = rig.server.app(&credentials);
        settings["base_url"] = base_url.as_str().into();
        let client = Client::new(&settings, &credentials.ca, rig.server.key_pem());
        let sent = client.send(&device(1), 1).await;
        assert_eq!(named(&sent.outcome), ("unavailable", "TlsFailed"), "{base_url}");
    }
    greeting.abort();
    assert_eq!(rig.server.tally().requests + stranger.tally().requests, 0);
}

use drain::outcome::Outcome;
use serde_json::{Value, json};

use super::rig::{Rig, send, send_content};

#[tokio::test]
async fn a_notification_arrives_as_it_was_written_and_nobody_on_the_way_can_read_it() {
    let rig = Rig::start().await;
    assert_eq!(rig.send("ada", 7).await.outcome, Outcome::Delivered);
    let request = rig.server.requests_of("ada").pop().expect("one push");
    assert_eq!((request.status(), request.n), (Some(201), Some(7)));
    let asked = request.asked;
    let read: Value = serde_json::from_slice(&asked.plaintext.expect("the browser can read it")).expect("JSON");
    let written = json!({"kind": "alert", "event": "event-7", "title": "Hello", "tag": "c-1", "data": {"n": 7}});
    assert_eq!(read, written);
    assert!(!request.body.windows(5).any(|part| part == b"Hello"));
    assert_eq!((asked.urgency.as_deref(), asked.topic.map(|topic| topic.len())), (Some("high"), Some(32)));
    let ttl: u64 = asked.ttl.expect("a TTL").parse().expect("seconds");
    assert!((290..=300).contains(&ttl), "{ttl} s are left of its life");
}

#[tokio::test]
async fn all_pushes_of_an_instance_to_one_service_share_a_connection_and_a_token() {
    let rig = Rig::start().await;
    rig.server.gate().close();
    let sends = (0..84).map(|i| {
        let (client, target) = (rig.client.clone(), rig.subscribe(&format!("b{i}")));
        tokio::spawn(async move { send(&client, &target, 1).await })
    });
    let sends: Vec<_> = sends.collect();
    rig.server.wait_until(|tally| tally.in_flight == 84).await;
    rig.server.gate().open();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    let tally = rig.server.tally();
    assert_eq!((tally.connections, tally.peak_in_flight, tally.delivered), (1, 84, 84));
    assert_eq!(rig.server.distinct_tokens(), 1);
}

#[tokio::test]
async fn c28_a_plaintext_of_3993_bytes_is_a_body_of_4096_and_arrives() {
    let rig = Rig::start().await;
    let target = rig.subscribe("ada");
    // Bytes of each in the text, and as encrypted.
    for (n, (piece, sent)) in [("a", 1), ("\u{1}", 6), ("\"", 2), ("🚀", 4)].into_iter().enumerate() {
        let n = i64::try_from(n).expect("small");
        let empty = json!({"kind": "alert", "event": "event-0", "body": "", "data": {"n": n}}).to_string().len();
        let room = 3993 - empty;
        let content = |more: &str| {
            let body = format!("{}{}{more}", piece.repeat(room / sent), "a".repeat(room % sent));
            json!({"body": body, "data": {"n": n}})
        };
        assert_eq!(send_content(&rig.client, &target, n, &content("")).await.outcome, Outcome::Delivered, "{piece:?}");
        let request = rig.server.requests().pop().expect("a push");
        assert_eq!((request.body.len(), request.asked.plaintext.expect("readable").len()), (4096, 3993));
        let over = send_content(&rig.client, &target, n, &content("a")).await.outcome;
        assert_eq!(over, Outcome::Rejected { reason: "PayloadTooLarge".into(), listed: true });
    }
    assert_eq!(rig.server.tally().requests, 4, "what is too large is not sent");
}

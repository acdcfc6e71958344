use std::time::Duration;

use drain::outcome::Outcome;
use local::fcm::{End, Options, Reply};

use super::rig::{Rig, send, start_send};
use crate::rig::named;

#[tokio::test]
async fn a_notification_is_delivered_as_google_wants_it() {
    let rig = Rig::start(Options::default()).await;
    let sent = send(&rig.client, "token-1", 7).await;
    assert_eq!(sent.outcome, Outcome::Delivered);
    assert!(sent.request_id.is_some_and(|id| id.starts_with("0:")), "Google's name of the message is kept");

    let request = rig.server.requests_of("token-1").pop().expect("one request");
    assert_eq!(request.end.as_ref().map(|(_, end)| end.clone()), Some(End::Answered { status: 200, reason: None }));
    assert_eq!(request.n, Some(7));
    let asked = request.asked;
    assert_eq!((asked.priority.as_deref(), asked.collapse_key.as_deref()), (Some("HIGH"), Some("c-1")));
    let ttl: u64 = asked.ttl.as_deref().and_then(|ttl| ttl.strip_suffix('s')).expect("a ttl").parse().expect("seconds");
    assert!((200..=300).contains(&ttl), "{ttl} s are left of its life");
}

#[tokio::test]
async fn every_kind_of_answer_comes_back_as_its_outcome() {
    let rig = Rig::start(Options::default()).await;
    let replies = [
        (Reply::status(404, "UNREGISTERED"), "unregistered", "UNREGISTERED"),
        (Reply::status(403, "SENDER_ID_MISMATCH"), "unregistered", "SENDER_ID_MISMATCH"),
        (Reply::status(400, "INVALID_ARGUMENT"), "rejected", "INVALID_ARGUMENT"),
        (Reply::status(429, "QUOTA_EXCEEDED"), "throttled", "QUOTA_EXCEEDED"),
        (Reply::status(503, "UNAVAILABLE"), "unavailable", "UNAVAILABLE"),
        (Reply::status(401, "THIRD_PARTY_AUTH_ERROR"), "misconfigured", "THIRD_PARTY_AUTH_ERROR"),
        (Reply::without_detail(404), "misconfigured", "NOT_FOUND"),
        (Reply::nothing_there(), "misconfigured", "status 404"),
        (Reply::raw(502, "<html>bad gateway</html>"), "unavailable", "status 502"),
        (Reply::raw(400, vec![b'x'; 200_000]), "rejected", "status 400"),
    ];
    for (i, (reply, name, reason)) in replies.into_iter().enumerate() {
        let token = format!("token-{i}");
        rig.server.script(&token, [reply]);
        assert_eq!(named(&send(&rig.client, &token, 1).await.outcome), (name, reason));
    }
    assert_eq!((rig.server.tally().connections, rig.server.mints()), (1, 1), "no answer costs a connection or a token");
}

#[tokio::test]
async fn c12_a_fault_of_the_payload_drops_it_and_c13_the_exact_message_marks_the_token() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script("token-1", [Reply::violation("message.data[0].token", "Invalid value"), Reply::invalid_token()]);
    let rejected = Outcome::Rejected { reason: "INVALID_ARGUMENT".into(), listed: true };
    assert_eq!(send(&rig.client, "token-1", 1).await.outcome, rejected);
    let dead = Outcome::Unregistered { reason: "INVALID_TOKEN".into(), dead_at: None };
    assert_eq!(send(&rig.client, "token-1", 2).await.outcome, dead);
}

#[tokio::test]
async fn c17_429_without_retry_after_ten_times_holds_the_whole_app_for_a_minute_each_time() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script("token-1", vec![Reply::status(429, "QUOTA_EXCEEDED"); 10]);
    let expected = Outcome::Throttled {
        reason: "QUOTA_EXCEEDED".into(),
        retry_after: Some(Duration::from_mins(1)),
        whole_provider: true,
    };
    for n in 1..=10 {
        assert_eq!(send(&rig.client, "token-1", n).await.outcome, expected);
    }
    assert_eq!(rig.server.tally().requests, 10, "nothing is resent by the client itself");
}

#[tokio::test]
async fn retry_after_is_read_in_every_form_above_the_floors() {
    let rig = Rig::start(Options::default()).await;
    let date = "Fri, 31 Dec 9999 23:59:59 GMT";
    let cases = [("17", 17), ("3", 10), (date, 12 * 3600), ("soon", 10), ("-1", 10)];
    for (i, (value, expected)) in cases.into_iter().enumerate() {
        let token = format!("token-{i}");
        rig.server.script(&token, [Reply::status(503, "UNAVAILABLE").retry_after(value)]);
        let retry_after = Some(Duration::from_secs(expected));
        let outcome = send(&rig.client, &token, 1).await.outcome;
        assert_eq!(outcome, Outcome::Unavailable { reason: "UNAVAILABLE".into(), retry_after }, "{value}");
    }
}

#[tokio::test]
async fn a_wrong_project_is_our_fault_and_no_tokens() {
    let rig = Rig::start(Options::default()).await;
    let client = rig.client_with(&[("project", "shop-2")], &rig.server.key_json());
    assert_eq!(named(&send(&client, "token-1", 1).await.outcome), ("misconfigured", "NOT_FOUND"));
}

#[tokio::test]
async fn c07_ambiguous_when_closed_without_an_answer_and_never_resent_here() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script("token-1", [Reply::close()]);
    assert_eq!(named(&send(&rig.client, "token-1", 1).await.outcome), ("ambiguous", "ConnectionLost"));
    assert_eq!(send(&rig.client, "token-1", 1).await.outcome, Outcome::Delivered);
    assert_eq!((rig.server.tally().requests, rig.server.mints()), (2, 1));
}

#[tokio::test]
async fn all_sends_of_an_instance_share_one_connection() {
    let rig = Rig::start(Options::default()).await;
    rig.server.gate().close();
    let sends: Vec<_> = (0..84).map(|i| start_send(&rig.client, &format!("token-{i}"), 1)).collect();
    rig.server.wait_until(|tally| tally.in_flight == 84).await;
    rig.server.gate().open();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    let tally = rig.server.tally();
    assert_eq!((tally.connections, tally.delivered, rig.server.mints()), (1, 84, 1));
}

use std::time::Duration;

use drain::outcome::Outcome;
use local::apns::{End, Options, Reply};
use time::OffsetDateTime;

use crate::rig::{Rig, device, named};

#[tokio::test]
async fn a_notification_is_delivered_as_apple_wants_it() {
    let rig = Rig::start(Options::default()).await;
    let sent = rig.client.send(&device(1), 7).await;
    assert_eq!(sent.outcome, Outcome::Delivered);

    let request = rig.server.requests_of(&device(1)).pop().expect("one request");
    assert_eq!(request.end.as_ref().map(|(_, end)| end.clone()), Some(End::Answered { status: 200, reason: None }));
    assert_eq!(request.n, Some(7));
    let asked = request.asked;
    assert_eq!(asked.apns_id, sent.request_id);
    assert_eq!((asked.priority.as_deref(), asked.push_type.as_deref()), (Some("10"), Some("alert")));
    assert_eq!((asked.topic.as_deref(), asked.collapse_id.as_deref()), (Some("com.example.app"), Some("c-1")));
    let expiration: i64 = asked.expiration.expect("an expiry").parse().expect("seconds");
    let left = expiration - OffsetDateTime::now_utc().unix_timestamp();
    assert!((200..=300).contains(&left), "{left} s are left of its life");
}

#[tokio::test]
async fn every_kind_of_answer_comes_back_as_its_outcome() {
    let rig = Rig::start(Options::default()).await;
    let replies = [
        (Reply::gone("Unregistered", 1_454_948_015_990), "unregistered", "Unregistered"),
        (Reply::status(400, "BadDeviceToken"), "unregistered", "BadDeviceToken"),
        (Reply::status(413, "PayloadTooLarge"), "rejected", "PayloadTooLarge"),
        (Reply::status(429, "TooManyRequests"), "throttled", "TooManyRequests"),
        (Reply::status(503, "Shutdown"), "unavailable", "Shutdown"),
        (Reply::status(403, "InvalidProviderToken"), "misconfigured", "InvalidProviderToken"),
        (Reply::raw(502, "<html>bad gateway</html>"), "unavailable", "status 502"),
        (Reply::raw(400, vec![b'x'; 200_000]), "rejected", "status 400"),
    ];
    for (i, (reply, name, reason)) in replies.into_iter().enumerate() {
        rig.server.script(&device(i), [reply]);
        assert_eq!(named(&rig.client.send(&device(i), 1).await.outcome), (name, reason));
    }
    assert_eq!(rig.server.tally().connections, 1, "no answer costs a connection");
}

#[tokio::test]
async fn retry_after_is_read_in_seconds_and_as_a_date() {
    let rig = Rig::start(Options::default()).await;
    let date = "Fri, 31 Dec 9999 23:59:59 GMT";
    for (i, (value, expected)) in [("17", Some(17)), (date, Some(12 * 3600)), ("soon", None)].into_iter().enumerate() {
        rig.server.script(&device(i), [Reply::status(503, "Shutdown").retry_after(value)]);
        let sent = rig.client.send(&device(i), 1).await;
        let retry_after = expected.map(Duration::from_secs);
        assert_eq!(sent.outcome, Outcome::Unavailable { reason: "Shutdown".into(), retry_after });
    }
}

#[tokio::test]
async fn a_topic_the_key_may_not_use_is_our_fault() {
    let rig = Rig::start(Options::default()).await;
    let credentials = rig.server.write_credentials(rig.folder.path()).expect("written");
    let mut settings = rig.server.app(&credentials);
    settings["topic"] = "com.example.other".into();
    let client = crate::rig::Client::new(&settings, &credentials.ca, rig.server.key_pem());
    assert_eq!(named(&client.send(&device(1), 1).await.outcome), ("misconfigured", "BadTopic"));
}

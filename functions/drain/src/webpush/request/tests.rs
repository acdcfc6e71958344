use pushwake::contract::{AppId, DeviceId};
use pushwake::queue::{Lease, Notification};
use time::macros::datetime;
use uuid::Uuid;

use super::*;
use crate::clock::DatabaseClock;
use crate::webpush::token::TokenSource;
use crate::webpush::token::tests::{KEY, app};

const PAYLOAD: &str = r#"{"kind":"alert","event":"e-1","notification":{"title":"t","collapse_id":"c"}}"#;
const ENDPOINT: &str = "https://updates.push.services.mozilla.com/wpush/v2/gAAAA=?a=b%20c";
const P256DH: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

fn target(endpoint: &str, p256dh: &str) -> String {
    let auth = "BTBZMqHH6r4Tts7J_aSIgg".to_owned();
    Target::WebPush { endpoint: endpoint.into(), p256dh: p256dh.into(), auth }.to_json()
}

fn message(payload: &str, target: &str, now: time::OffsetDateTime) -> Result<Message, Outcome> {
    let lease = Lease { app: AppId::from("web"), device: DeviceId::from("d"), head: 7, token: Uuid::nil() };
    let notification = Notification {
        source: "orders".into(),
        event: "e-1".into(),
        kind: "alert".into(),
        payload: payload.into(),
        target: target.into(),
        send_at: datetime!(2026-01-01 00:00 UTC),
        expires_at: datetime!(2026-01-01 00:05:00 UTC),
    };
    let clock = DatabaseClock::showing(now);
    Message::read(&Send { lease: &lease, notification: &notification, clock }, &app())
}

fn headers(message: &Message) -> impl Fn(&str) -> Option<String> + use<> {
    let token = TokenSource::new(&app(), KEY).expect("a key").sign("https://x", datetime!(2026-01-01 00:00 UTC));
    let request = message.request(&token, 123).expect("sendable");
    assert_eq!((request.uri().to_string().as_str(), request.method()), (ENDPOINT, &Method::POST));
    move |name| request.headers().get(name).map(|value| value.to_str().expect("text").to_owned())
}

#[test]
fn the_request_is_what_the_rfcs_ask_for() {
    let message = message(PAYLOAD, &target(ENDPOINT, P256DH), datetime!(2026-01-01 00:00:30.5 UTC));
    let header = headers(&message.unwrap_or_else(|outcome| panic!("{outcome:?}")));
    assert!(header("authorization").is_some_and(|value| value.starts_with("vapid t=")));
    assert_eq!(header("content-encoding").as_deref(), Some("aes128gcm"));
    assert_eq!(header("content-length").as_deref(), Some("123"));
    assert_eq!(header("urgency").as_deref(), Some("high"));
    assert_eq!(header("topic").map(|topic| topic.len()), Some(32));
    let ttl: u64 = header("ttl").expect("a TTL").parse().expect("seconds");
    assert_eq!(ttl, 269, "what is left of its life in whole seconds, never past the expiry");
}

#[test]
fn a_life_that_is_over_is_a_ttl_of_zero_and_no_collapse_id_is_no_topic() {
    let payload = PAYLOAD.replace(r#","collapse_id":"c""#, "");
    let message = message(&payload, &target(ENDPOINT, P256DH), datetime!(2026-01-01 00:06 UTC));
    let header = headers(&message.unwrap_or_else(|outcome| panic!("{outcome:?}")));
    assert_eq!((header("ttl").as_deref(), header("topic")), (Some("0"), None));
}

#[test]
fn what_cannot_be_read_is_rejected_by_name_alone() {
    let now = datetime!(2026-01-01 00:00 UTC);
    let refused = |payload: &str, target: &str| match message(payload, target, now).err() {
        Some(Outcome::Rejected { reason, listed }) => (reason.into_owned(), listed),
        other => panic!("{other:?}"),
    };
    let good = target(ENDPOINT, P256DH);
    for poison in ["null", "[]", "{}", "", "{", "7"] {
        assert_eq!(refused(poison, &good), ("UnreadablePayload".into(), true));
    }
    assert_eq!(refused(r#"{"kind":"alert","event":"e"}"#, &good), ("UnbuildablePayload".into(), true));
    let long = PAYLOAD.replace("\"t\"", &format!("\"{}\"", "t".repeat(5000)));
    assert_eq!(refused(&long, &good), ("PayloadTooLarge".into(), true));
    let apns = Target::Apns { token: "aa".into() }.to_json();
    for odd in ["null", "{}", &apns, &target(ENDPOINT, ""), &target(ENDPOINT, "AAAA"), &target(ENDPOINT, "é")] {
        assert_eq!(refused(PAYLOAD, odd), ("UnreadableTarget".into(), true));
    }
    for endpoint in ["https://10.0.0.1/x", "http://fcm.googleapis.com/x", "https://push.example.com/x"] {
        let forbidden = ("ForbiddenEndpoint".into(), false);
        assert_eq!(refused(PAYLOAD, &target(endpoint, P256DH)), forbidden, "{endpoint}");
    }
}

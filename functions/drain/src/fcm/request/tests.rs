use pushwake::contract::{AppId, DeviceId};
use pushwake::queue::{Lease, Notification};
use serde_json::{Value, json};
use time::macros::datetime;
use uuid::Uuid;

use super::*;
use crate::clock::DatabaseClock;

const PAYLOAD: &str = r#"{"kind":"alert","event":"e-1","notification":{"title":"t","collapse_id":"c"}}"#;
const EXPIRES_AT: OffsetDateTime = datetime!(2026-01-01 00:05 UTC);

fn message(payload: &str, target: &str) -> Result<Message, Reason> {
    let notification = Notification {
        source: "orders".into(),
        event: "e-1".into(),
        kind: "alert".into(),
        payload: payload.into(),
        target: target.into(),
        send_at: datetime!(2026-01-01 00:00 UTC),
        expires_at: EXPIRES_AT,
    };
    let lease = Lease { app: AppId::from("android"), device: DeviceId::from("d"), head: 7, token: Uuid::nil() };
    let clock = DatabaseClock::showing(notification.send_at);
    Message::read(&Send { lease: &lease, notification: &notification, clock })
}

fn target(token: &str) -> String {
    Target::Fcm { token: token.into() }.to_json()
}

#[test]
fn the_request_is_what_google_documents() {
    let message = message(PAYLOAD, &target("token-1")).expect("readable");
    let token = Token::new(HeaderValue::from_static("Bearer x"), EXPIRES_AT, Duration::from_hours(1));
    let url = "https://fcm.googleapis.com/v1/projects/shop-1/messages:send";
    let request = Message::request(url, &token).expect("sendable");
    assert_eq!((request.method(), request.uri().to_string().as_str()), (&Method::POST, url));
    assert_eq!(request.headers()["authorization"], "Bearer x");
    assert_eq!(request.headers()["content-type"], "application/json");
    let body: Value = serde_json::from_slice(&message.body(EXPIRES_AT)).expect("JSON");
    assert_eq!(body["message"]["token"], json!("token-1"));
    assert_eq!(body["message"]["notification"], json!({"title": "t"}));
}

#[test]
fn c10_the_ttl_is_what_is_left_when_it_is_sent() {
    let message = message(PAYLOAD, &target("token-1")).expect("readable");
    let ttl = |now: OffsetDateTime| {
        let body: Value = serde_json::from_slice(&message.body(now)).expect("JSON");
        body["message"]["android"]["ttl"].as_str().expect("a ttl").to_owned()
    };
    assert_eq!(ttl(EXPIRES_AT - Duration::from_millis(99_001)), "99s");
    assert_eq!(ttl(EXPIRES_AT), "0s");
    assert_eq!(ttl(EXPIRES_AT + Duration::from_hours(1)), "0s");
}

#[test]
fn what_cannot_be_read_is_rejected_by_name_alone() {
    let reason = |payload: &str, target: &str| message(payload, target).err();
    for poison in ["null", "[]", "{}", "", "{", "7", r#"{"kind":"alert","event":"e"}"#] {
        let reason = reason(poison, &target("t"));
        assert!(matches!(reason.as_deref(), Some("UnreadablePayload" | "UnbuildablePayload")), "{poison}");
    }
    for odd in ["null", "{}", &target(""), &Target::Apns { token: "00ff".into() }.to_json()] {
        assert_eq!(reason(PAYLOAD, odd).as_deref(), Some("UnreadableTarget"));
    }
    let number = PAYLOAD.replace(r#""title""#, r#""data":{"a":1},"title""#);
    assert_eq!(reason(&number, &target("t")).as_deref(), Some("UnbuildablePayload"));
    let long = PAYLOAD.replace("\"t\"", &format!("\"{}\"", "t".repeat(5000)));
    assert_eq!(reason(&long, &target("t")).as_deref(), Some("PayloadTooLarge"));
}

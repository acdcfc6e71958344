use pushwake::contract::{AppId, DeviceId};
use pushwake::queue::{Lease, Notification};
use time::macros::datetime;

use super::*;
use crate::clock::DatabaseClock;

const TOKEN: &str = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0";
const PAYLOAD: &str = r#"{"kind":"alert","event":"e-1","notification":{"title":"t","collapse_id":"c","data":{"n":1}}}"#;

fn stored(payload: &str, target: &str) -> Notification {
    Notification {
        source: "orders".into(),
        event: "e-1".into(),
        kind: "alert".into(),
        payload: payload.into(),
        target: target.into(),
        send_at: datetime!(2026-01-01 00:00 UTC),
        expires_at: datetime!(2026-01-01 00:05:00.9 UTC),
    }
}

fn lease(device: &str, head: i64) -> Lease {
    Lease { app: AppId::from("ios"), device: DeviceId::from(device), head, token: Uuid::nil() }
}

fn message(lease: &Lease, notification: &Notification) -> Result<Message, Reason> {
    let clock = DatabaseClock::showing(notification.send_at);
    Message::read(&Send { lease, notification, clock }, &"com.example.app".into())
}

fn target(token: &str) -> String {
    Target::Apns { token: token.into() }.to_json()
}

#[test]
fn the_request_is_what_apple_documents() {
    let message = message(&lease("d", 7), &stored(PAYLOAD, &target(TOKEN))).expect("readable");
    let token = Token::for_test("bearer x");
    let request = message.request("api.push.apple.com", &token).expect("sendable");
    assert_eq!(request.uri().to_string(), format!("https://api.push.apple.com/3/device/{TOKEN}"));
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    assert_eq!(header("authorization").as_deref(), Some("bearer x"));
    assert_eq!(header("apns-id"), Some(message.id()));
    assert_eq!(header("apns-expiration").as_deref(), Some("1767225900"), "whole seconds, never later than the expiry");
    assert_eq!(header("apns-priority").as_deref(), Some("10"));
    assert_eq!(header("apns-topic").as_deref(), Some("com.example.app"));
    assert_eq!(header("apns-push-type").as_deref(), Some("alert"));
    assert_eq!(header("apns-collapse-id").as_deref(), Some("c"));
    assert_eq!(header("content-encoding"), None);
}

#[test]
fn the_apns_id_is_the_notifications_and_never_anothers() {
    let read = |lease: &Lease| message(lease, &stored(PAYLOAD, &target(TOKEN))).expect("readable").id();
    let mut again = lease("d", 7);
    again.token = Uuid::max();
    assert_eq!(read(&lease("d", 7)), read(&again), "another attempt is another lease");
    assert_ne!(read(&lease("d", 7)), read(&lease("d", 8)));
    assert_ne!(read(&lease("d", 7)), read(&lease("e", 7)));
    assert_eq!(read(&lease("d", 7)), read(&lease("d", 7)).to_lowercase());
    assert_eq!(read(&lease("d", 7)), "5376656a-de45-526a-867b-a06f3e724f2f", "the same in every revision");
}

#[test]
fn what_cannot_be_read_is_rejected_by_name_alone() {
    let reason = |payload: &str, target: &str| message(&lease("d", 7), &stored(payload, target)).err();
    for poison in ["null", "[]", "{}", "", "{", "7", r#"{"kind":"alert","event":"e"}"#] {
        assert!(matches!(reason(poison, &target(TOKEN)).as_deref(), Some("UnreadablePayload" | "UnbuildablePayload")));
    }
    for odd in ["null", "{}", &target(""), &target("a/../b"), &target("00 ff"), &target("zz"), &target("é")] {
        assert_eq!(reason(PAYLOAD, odd).as_deref(), Some("UnreadableTarget"));
    }
    let long = PAYLOAD.replace("\"t\"", &format!("\"{}\"", "t".repeat(5000)));
    assert_eq!(reason(&long, &target(TOKEN)).as_deref(), Some("PayloadTooLarge"));
}

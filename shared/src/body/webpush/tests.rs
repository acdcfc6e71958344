use serde_json::{Value, json};

use super::{Built, build};
use crate::body::BodyError;
use crate::contract::{Kind, Notification, Payload};

fn payload(kind: Kind, notification: Value) -> Payload {
    let notification: Notification = serde_json::from_value(notification).expect("notification");
    Payload { kind, event: "order-1".into(), notification }
}

fn alert(notification: Value) -> Built {
    build(&payload(Kind::Alert, notification)).unwrap_or_else(|error| panic!("{error}"))
}

fn body(built: &Built) -> Value {
    serde_json::from_str(&built.body).expect("a body is JSON")
}

fn error(notification: Value) -> BodyError {
    build(&payload(Kind::Alert, notification)).err().expect("an error")
}

#[test]
fn an_alert_carries_everything_a_service_worker_shows() {
    let built = alert(json!({
        "title": "Hello", "body": "World", "data": {"order": 17}, "sound": "default", "badge": 3, "thread": "orders",
        "collapse_id": "order-17", "image": "https://example.com/i.png"
    }));
    assert_eq!(
        body(&built),
        json!({"kind": "alert", "event": "order-1", "title": "Hello", "body": "World", "data": {"order": 17},
            "sound": "default", "badge": 3, "thread": "orders", "tag": "order-17",
            "image": "https://example.com/i.png"})
    );
    assert_eq!(alert(json!({"title": "t"})).body, r#"{"event":"order-1","kind":"alert","title":"t"}"#);
}

#[test]
fn a_silent_push_and_a_dismissal_say_what_they_are() {
    let built = |kind| build(&payload(kind, json!({}))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(built(Kind::Background).body, r#"{"event":"order-1","kind":"background"}"#);
    assert_eq!(built(Kind::Dismiss).body, r#"{"event":"order-1","kind":"dismiss"}"#);
    assert_eq!((built(Kind::Background).urgency, built(Kind::Dismiss).urgency), ("normal", "normal"));
}

#[test]
fn c35_badge_0_is_sent() {
    assert_eq!(body(&alert(json!({"badge": 0})))["badge"], json!(0));
}

#[test]
fn priorities_are_urgencies() {
    let urgency = |asked: Value| alert(json!({"title": "t", "priority": asked})).urgency;
    let asked = [json!(null), json!("high"), json!("normal"), json!("low")];
    assert_eq!(asked.map(urgency), ["high", "high", "normal", "low"]);
}

#[test]
fn c34b_collapse_ids_become_topics_that_a_header_takes_and_nobody_reads() {
    let topic = |id: &str| alert(json!({"title": "t", "collapse_id": id})).topic.expect("a topic");
    assert_eq!(alert(json!({"title": "t"})).topic, None);
    let (long, other) = ("a".repeat(65), format!("{}b", "a".repeat(64)));
    for id in [&long, &other, "a", "order-17", "größe", &"é".repeat(33), &"🚀".repeat(17), " a", "a\tb"] {
        let topic = topic(id);
        assert_eq!(topic.len(), 32, "{id}");
        assert!(topic.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')), "{topic}");
        assert!(id.len() < 3 || !topic.contains(id));
    }
    assert_ne!(topic(&long), topic(&other));
    assert_eq!(topic(&long), "Y1NhxIu56rFBmOduqKt_GkFoXWrWKqkU", "the same in every revision");
}

#[test]
fn c28_the_size_that_counts_is_that_of_the_plaintext() {
    let empty = alert(json!({"body": ""})).body.len();
    // Bytes of each in the text, and as encrypted.
    for (piece, sent) in [("a", 1), ("\u{1}", 6), ("\"", 2), ("\\", 2), ("\n", 2), ("é", 2), ("🚀", 4), ("\u{7f}", 1)]
    {
        let room = 3993 - empty;
        let fitting = format!("{}{}", piece.repeat(room / sent), "a".repeat(room % sent));
        assert_eq!(alert(json!({"body": fitting})).body.len(), 3993, "{piece:?}");
        assert_eq!(error(json!({"body": format!("{fitting}a")})), BodyError::TooLarge { size: 3994, limit: 3993 });
    }
    for (piece, sent) in [("\u{1}", 6), ("\"", 2), ("🚀", 4)] {
        assert_eq!(alert(json!({"body": piece.repeat(180)})).body.len(), empty + 180 * sent);
    }
}

#[test]
fn raw_is_a_merge_patch_over_the_plaintext() {
    let declarative = json!({"web_push": 8030, "notification": {"title": "t", "navigate": "https://example.com/"}});
    let built = alert(json!({"raw": {"webpush": {"kind": null, "event": null, "web_push": 8030,
        "notification": {"title": "t", "navigate": "https://example.com/"}}}}));
    assert_eq!(body(&built), declarative, "raw alone can make an alert");
    let built = alert(json!({"title": "t", "data": {"a": 1, "b": 2}, "raw": {"webpush": {"data": {"a": null}}}}));
    assert_eq!(body(&built)["data"], json!({"b": 2}));
    let fits = alert(json!({"title": "a".repeat(5000), "raw": {"webpush": {"title": "short"}}}));
    assert_eq!(body(&fits)["title"], json!("short"));
}

#[test]
fn an_alert_that_shows_nothing_is_none() {
    for nothing in [json!({}), json!({"data": {"a": 1}}), json!({"collapse_id": "c"}), json!({"raw": {"webpush": {}}})]
    {
        assert_eq!(error(nothing), BodyError::Empty);
    }
}

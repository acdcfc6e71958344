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
fn an_alert_carries_everything_where_apple_looks_for_it() {
    let built = alert(json!({
        "title": "Hello", "body": "World", "data": {"order": 17}, "sound": "default", "badge": 3, "thread": "orders",
        "collapse_id": "order-17", "image": "https://example.com/i.png"
    }));
    assert_eq!(
        body(&built),
        json!({
            "aps": {"alert": {"title": "Hello", "body": "World"}, "sound": "default", "badge": 3,
                "thread-id": "orders", "mutable-content": 1},
            "pushwake": {"event": "order-1", "image": "https://example.com/i.png"},
            "order": 17
        })
    );
    assert_eq!((built.push_type, built.priority, built.collapse_id.as_deref()), ("alert", 10, Some("order-17")));
}

#[test]
fn a_silent_push_has_content_available_alone_and_never_priority_10() {
    for (priority, expected) in [(json!(null), 5), (json!("high"), 5), (json!("normal"), 5), (json!("low"), 1)] {
        let built = build(&payload(Kind::Background, json!({"data": {"a": [1]}, "priority": priority})))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(body(&built), json!({"aps": {"content-available": 1}, "pushwake": {"event": "order-1"}, "a": [1]}));
        assert_eq!((built.push_type, built.priority), ("background", expected));
    }
}

#[test]
fn a_dismissal_names_the_event_it_takes_back() {
    let built = build(&payload(Kind::Dismiss, json!({}))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(built.body, r#"{"aps":{"content-available":1},"pushwake":{"dismiss":"order-1"}}"#);
}

#[test]
fn c35_badge_0_is_sent() {
    assert_eq!(body(&alert(json!({"badge": 0})))["aps"], json!({"badge": 0}));
}

#[test]
fn priorities_are_apples_numbers() {
    let priority = |asked: &str| alert(json!({"title": "t", "priority": asked})).priority;
    assert_eq!([priority("high"), priority("normal"), priority("low")], [10, 5, 1]);
}

#[test]
fn c34b_collapse_ids_fit_a_header_and_stay_themselves() {
    let fit = |id: &str| alert(json!({"title": "t", "collapse_id": id})).collapse_id.expect("collapse id");
    assert_eq!(alert(json!({"title": "t"})).collapse_id, None);
    assert_eq!(fit(&"a".repeat(64)), "a".repeat(64));
    let (long, other) = ("a".repeat(65), format!("{}b", "a".repeat(64)));
    for id in [&long, &other, "größe", &"é".repeat(33), &"🚀".repeat(17), " a", "a\tb"] {
        assert_ne!(fit(id), *id);
        assert_eq!(fit(id), fit(id));
        assert!(fit(id).len() <= 64 && fit(id).is_ascii());
    }
    assert_ne!(fit(&long), fit(&other));
    assert_eq!(fit(&long), "Y1NhxIu56rFBmOduqKt_GkFoXWrWKqkUbTAdTxfrCuA", "the same in every revision");
}

#[test]
fn c28_the_size_that_counts_is_that_of_the_final_bytes() {
    let empty = alert(json!({"body": ""})).body.len();
    // Bytes of each in the text, and as sent.
    for (piece, sent) in [("a", 1), ("\u{1}", 6), ("\"", 2), ("\\", 2), ("\n", 2), ("é", 2), ("🚀", 4), ("\u{7f}", 1)]
    {
        let room = 4096 - empty;
        let fitting = format!("{}{}", piece.repeat(room / sent), "a".repeat(room % sent));
        assert_eq!(alert(json!({"body": fitting})).body.len(), 4096, "{piece:?}");
        assert_eq!(error(json!({"body": format!("{fitting}a")})), BodyError::TooLarge { size: 4097, limit: 4096 });
    }
    for (piece, sent) in [("\u{1}", 6), ("\"", 2), ("🚀", 4)] {
        assert_eq!(alert(json!({"body": piece.repeat(180)})).body.len(), empty + 180 * sent);
    }
}

#[test]
fn raw_is_a_merge_patch_over_the_body() {
    let built = alert(json!({
        "title": "t", "body": "b", "data": {"x": {"y": 1, "z": 2}},
        "raw": {"apns": {"aps": {"alert": {"body": null, "loc-key": "K"}, "interruption-level": "time-sensitive"},
            "pushwake": null, "x": {"y": [2]}}}
    }));
    assert_eq!(
        body(&built),
        json!({"aps": {"alert": {"title": "t", "loc-key": "K"}, "interruption-level": "time-sensitive"},
            "x": {"y": [2], "z": 2}})
    );
}

#[test]
fn raw_alone_can_make_an_alert_and_can_break_one() {
    assert_eq!(body(&alert(json!({"raw": {"apns": {"aps": {"alert": "x"}}}})))["aps"], json!({"alert": "x"}));
    assert_eq!(error(json!({})), BodyError::Empty);
    assert_eq!(error(json!({"data": {"a": 1}})), BodyError::Empty);
    assert_eq!(error(json!({"title": "t", "raw": {"apns": {"aps": {"alert": null}}}})), BodyError::Empty);
    assert_eq!(error(json!({"title": "t", "raw": {"apns": {"aps": 1}}})), BodyError::Aps);
    assert_eq!(error(json!({"title": "t", "raw": {"apns": {"aps": null}}})), BodyError::Aps);
}

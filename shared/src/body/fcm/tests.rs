use std::time::Duration;

use serde_json::{Value, json};

use super::{Built, build};
use crate::body::BodyError;
use crate::contract::{Kind, Notification, Payload};

const LIFE: Duration = Duration::from_mins(5);

fn built(kind: Kind, notification: Value) -> Result<Built, BodyError> {
    let notification: Notification = serde_json::from_value(notification).expect("notification");
    build(&Payload { kind, event: "order-1".into(), notification })
}

fn body(kind: Kind, notification: Value) -> String {
    built(kind, notification).unwrap_or_else(|error| panic!("{error}")).body_for("token-1", LIFE)
}

/// The message without what every one has.
fn message(kind: Kind, notification: Value) -> Value {
    let body: Value = serde_json::from_str(&body(kind, notification)).expect("a body is JSON");
    let mut message = body["message"].clone();
    assert_eq!(message["token"].take(), json!("token-1"));
    assert_eq!(message["android"]["ttl"].take(), json!("300s"));
    message["android"].as_object_mut().expect("android").remove("ttl");
    message.as_object_mut().expect("a message").remove("token");
    message
}

fn alert(notification: Value) -> Value {
    message(Kind::Alert, notification)
}

fn error(notification: Value) -> BodyError {
    built(Kind::Alert, notification).err().expect("an error")
}

#[test]
fn an_alert_carries_everything_where_google_looks_for_it() {
    let message = alert(json!({
        "title": "Hello", "body": "World", "data": {"order": "17"}, "sound": "default", "badge": 3, "thread": "orders",
        "collapse_id": "order-17", "image": "https://example.com/i.png"
    }));
    assert_eq!(
        message,
        json!({
            "notification": {"title": "Hello", "body": "World", "image": "https://example.com/i.png"},
            "data": {"order": "17", "pushwake": r#"{"event":"order-1","thread":"orders"}"#},
            "android": {"priority": "HIGH", "collapse_key": "order-17",
                "notification": {"sound": "default", "tag": "order-17", "notification_count": 3}}
        })
    );
}

#[test]
fn a_plain_alert_is_no_longer_than_it_must_be() {
    assert_eq!(
        body(Kind::Alert, json!({"title": "t"})),
        r#"{"message":{"android":{"priority":"HIGH","ttl":"300s"},"data":{"pushwake":"{\"event\":\"order-1\"}"},"notification":{"title":"t"},"token":"token-1"}}"#
    );
}

#[test]
fn a_silent_push_has_data_alone_and_normal_priority() {
    for priority in [json!(null), json!("high"), json!("normal"), json!("low")] {
        assert_eq!(
            message(Kind::Background, json!({"data": {"a": "1"}, "priority": priority})),
            json!({"data": {"a": "1", "pushwake": r#"{"event":"order-1"}"#}, "android": {"priority": "NORMAL"}})
        );
    }
}

#[test]
fn a_dismissal_names_the_event_it_takes_back() {
    let expected = json!({"data": {"pushwake": r#"{"dismiss":"order-1"}"#}, "android": {"priority": "NORMAL"}});
    assert_eq!(message(Kind::Dismiss, json!({})), expected);
}

#[test]
fn c35_badge_0_is_sent() {
    let message = alert(json!({"title": "t", "badge": 0}));
    assert_eq!(message["android"]["notification"], json!({"notification_count": 0}));
}

#[test]
fn priorities_are_googles_two() {
    let priority = |asked: &str| alert(json!({"title": "t", "priority": asked}))["android"]["priority"].clone();
    assert_eq!(["high", "normal", "low"].map(priority), ["HIGH", "NORMAL", "NORMAL"]);
}

#[test]
fn c34b_collapse_ids_stay_themselves() {
    assert_eq!(alert(json!({"title": "t"}))["android"].get("collapse_key"), None);
    for id in [&"a".repeat(65), "größe", "🚀"] {
        let android = alert(json!({"title": "t", "collapse_id": id}))["android"].clone();
        assert_eq!((&android["collapse_key"], &android["notification"]["tag"]), (&json!(id), &json!(id)));
    }
}

#[test]
fn the_ttl_is_what_is_left_in_whole_seconds() {
    let ttl = |left: Duration| {
        let built = built(Kind::Alert, json!({"title": "t"})).unwrap_or_else(|error| panic!("{error}"));
        let body: Value = serde_json::from_str(&built.body_for("t", left)).expect("JSON");
        body["message"]["android"]["ttl"].as_str().expect("a ttl").to_owned()
    };
    assert_eq!(ttl(Duration::ZERO), "0s");
    assert_eq!(ttl(Duration::from_millis(1999)), "1s", "never longer than it lives");
    assert_eq!(ttl(Duration::from_hours(12)), "43200s");
    assert_eq!(ttl(Duration::MAX), "2419200s");
}

#[test]
fn every_value_of_data_is_a_string_and_no_key_is_googles() {
    for (key, value) in
        [("x", json!(1)), ("x", json!(true)), ("x", json!(null)), ("x", json!(["a"])), ("x", json!({"y": "z"}))]
    {
        let reason = "must be a string for an Android device";
        assert_eq!(error(json!({"title": "t", "data": {key: value}})), BodyError::Data { key: key.into(), reason });
    }
    for key in ["from", "message_type", "gcm.notification.x", "gcm", "google.sent_time", "google"] {
        let reason = "is reserved by FCM; use another key";
        assert_eq!(error(json!({"title": "t", "data": {key: "x"}})), BodyError::Data { key: key.into(), reason });
    }
    alert(json!({"title": "t", "data": {"From": "x", "fromage": "x", "my.gcm": "", "": "x"}}));
}

#[test]
fn c28_the_size_that_counts_is_that_of_the_final_bytes_without_the_token() {
    // What is not counted: the token with its name, and the difference to the longest ttl.
    let counted = |body: &str| body.len() - r#","token":"token-1""#.len() + "2419200".len() - "300".len();
    let empty = counted(&body(Kind::Alert, json!({"body": ""})));
    // Bytes of each in the text, and as sent.
    for (piece, sent) in [("a", 1), ("\u{1}", 6), ("\"", 2), ("\\", 2), ("\n", 2), ("é", 2), ("🚀", 4), ("\u{7f}", 1)]
    {
        let room = 4096 - empty;
        let fitting = format!("{}{}", piece.repeat(room / sent), "a".repeat(room % sent));
        assert_eq!(counted(&body(Kind::Alert, json!({"body": fitting}))), 4096, "{piece:?}");
        assert_eq!(error(json!({"body": format!("{fitting}a")})), BodyError::TooLarge { size: 4097, limit: 4096 });
    }
    for (piece, sent) in [("\u{1}", 6), ("\"", 2), ("🚀", 4)] {
        assert_eq!(counted(&body(Kind::Alert, json!({"body": piece.repeat(180)}))), empty + 180 * sent);
    }
}

#[test]
fn raw_is_a_merge_patch_over_the_message() {
    let message = alert(json!({
        "title": "t", "body": "b", "collapse_id": "c",
        "raw": {"fcm": {"notification": {"body": null}, "data": {"pushwake": null, "x": "y"},
            "android": {"ttl": "9s", "notification": {"channel_id": "orders", "tag": null}},
            "fcm_options": {"analytics_label": "l"}}}
    }));
    assert_eq!(
        message,
        json!({"notification": {"title": "t"}, "data": {"x": "y"}, "fcm_options": {"analytics_label": "l"},
            "android": {"priority": "HIGH", "collapse_key": "c", "notification": {"channel_id": "orders"}}})
    );
    assert_eq!(alert(json!({"title": "t", "raw": {"fcm": {"android": null, "data": null}}}))["android"], json!({}));
}

#[test]
fn raw_alone_can_make_an_alert_and_can_break_one() {
    let loc = json!({"raw": {"fcm": {"android": {"notification": {"title_loc_key": "K"}}}}});
    assert_eq!(alert(loc)["android"]["notification"], json!({"title_loc_key": "K"}));
    for invisible in [json!({}), json!({"badge": 1, "sound": "s"}), json!({"data": {"a": "1"}})] {
        assert_eq!(error(invisible), BodyError::Untitled);
    }
    assert_eq!(error(json!({"title": "t", "raw": {"fcm": {"notification": null}}})), BodyError::Untitled);
    for odd in [
        json!({"android": 1}),
        json!({"data": "x"}),
        json!({"data": {"x": 1}}),
        json!({"data": {"from": "x"}}),
        json!({"token": "t"}),
        json!({"topic": "t"}),
        json!({"condition": "t"}),
    ] {
        assert!(matches!(error(json!({"title": "t", "raw": {"fcm": odd}})), BodyError::Message(_)), "{odd}");
    }
}

use time::macros::datetime;

use super::*;

fn unregistered(device: &str) -> Feedback {
    Feedback::Unregistered {
        app: "ios-prod".into(),
        device: device.into(),
        token_hash: "9f86d081".into(),
        reason: "ExpiredToken".into(),
        time: datetime!(2027-01-02 03:04:05.678 UTC),
        source: Some("shop".into()),
        event: Some("order-1".into()),
    }
}

#[test]
fn a_message_is_this_json_and_reads_back() {
    let paused = Feedback::Paused {
        app: "ios-prod".into(),
        reason: "InvalidProviderToken".into(),
        time: datetime!(2027-01-02 03:04:05 UTC),
        until: datetime!(2027-01-02 03:04:15 UTC),
    };
    let resumed = Feedback::Resumed {
        app: "ios-prod".into(),
        reason: "InvalidProviderToken".into(),
        time: datetime!(2027-01-02 03:04:16 UTC),
    };
    for (feedback, json) in [
        (
            unregistered("d1"),
            r#"{"v":1,"kind":"unregistered","app":"ios-prod","device":"d1","token_hash":"9f86d081","reason":"ExpiredToken","time":"2027-01-02T03:04:05.678Z","source":"shop","event":"order-1"}"#,
        ),
        (
            paused,
            r#"{"v":1,"kind":"paused","app":"ios-prod","reason":"InvalidProviderToken","time":"2027-01-02T03:04:05Z","until":"2027-01-02T03:04:15Z"}"#,
        ),
        (
            resumed,
            r#"{"v":1,"kind":"resumed","app":"ios-prod","reason":"InvalidProviderToken","time":"2027-01-02T03:04:16Z"}"#,
        ),
    ] {
        let message = Message::new(feedback);
        assert_eq!(message.to_json(), json);
        assert_eq!(Message::from_json(json).expect("a message"), message);
    }
}

#[test]
fn an_event_that_is_not_known_is_absent() {
    let Feedback::Unregistered { app, device, token_hash, reason, time, .. } = unregistered("d1") else {
        unreachable!()
    };
    let feedback = Feedback::Unregistered { app, device, token_hash, reason, time, source: None, event: None };
    let message = Message::new(feedback);
    assert!(message.to_json().ends_with(r#""time":"2027-01-02T03:04:05.678Z"}"#));
    assert_eq!(Message::from_json(&message.to_json()).expect("a message"), message);
}

#[test]
fn what_a_newer_revision_adds_is_passed_over() {
    let kind = r#"{"v":1,"kind":"throttled","app":"ios-prod","share":0.5}"#;
    assert_eq!(Message::from_json(kind).expect("a message"), Message::new(Feedback::Other));
    let key = r#"{"v":1,"kind":"resumed","app":"a","reason":"r","time":"2027-01-02T03:04:16Z","by":{"x":[1]}}"#;
    assert!(matches!(Message::from_json(key).expect("a message").feedback, Feedback::Resumed { .. }));
    for other in ["", "null", "{}", r#"{"v":1}"#, r#"{"v":1,"kind":"resumed"}"#] {
        assert!(Message::from_json(other).is_err(), "{other}");
    }
}

#[test]
fn every_character_of_an_id_is_one_that_sqs_takes() {
    let message = Message::new(unregistered("\u{FFFE}\u{FFFF}\u{10FFFF}é\"\\"));
    let json = message.to_json();
    assert!(!json.contains(['\u{FFFE}', '\u{FFFF}']), "{json}");
    assert_eq!(Message::from_json(&json).expect("a message"), message);
}

//! What Pushwake writes fits its schemas, and so does what a newer revision adds.

use jsonschema::Validator;
use serde_json::{Value, json};
use time::macros::datetime;

use crate::contract::{DeviceResult, Response, Status, VERSION, WakeStatus};
use crate::feedback::{Feedback, Message};
use crate::schema;

fn validator(schema: schemars::Schema) -> Validator {
    jsonschema::draft202012::options().should_validate_formats(true).build(&schema.to_value()).expect("a schema")
}

#[test]
fn every_answer_fits_the_schema_of_responses() {
    let response = validator(schema::response());
    let statuses = [
        Status::Queued,
        Status::Duplicate,
        Status::Conflict,
        Status::Unregistered,
        Status::RateLimited,
        Status::Expired,
        Status::Dismissed,
        Status::Invalid,
    ];
    let text = schema::response().to_value().to_string();
    for wake in [WakeStatus::Posted, WakeStatus::Failed, WakeStatus::NotNeeded] {
        let results = statuses.iter().map(|&status| {
            let (field, reason) = (status == Status::Invalid).then(|| ("f".to_owned(), "r".to_owned())).unzip();
            DeviceResult { device: (status != Status::Invalid).then(|| "d".into()), app: None, status, field, reason }
        });
        let answer = json!(Response { v: VERSION, results: results.collect(), wake });
        assert!(response.is_valid(&answer), "{answer}");
        for word in answer["results"].as_array().expect("results").iter().map(|result| &result["status"]) {
            assert!(text.contains(&format!(r#""const":{word}"#)), "{word} is described");
        }
    }
    for other in [
        json!({"v": 1, "results": [{"device": "d", "app": "a", "status": "postponed", "until": 1}], "wake": "later", "n": 1}),
        json!({"v": 1, "results": [], "wake": "posted"}),
    ] {
        assert!(response.is_valid(&other), "{other}");
        serde_json::from_value::<Response>(other).expect("the type takes it too");
    }
    for wrong in [
        json!({"v": 2, "results": [], "wake": "posted"}),
        json!({"v": 1, "results": [{"device": "d", "status": "queued"}], "wake": "posted"}),
        json!({"v": 1, "results": [{"device": "d", "app": "a", "status": 1}], "wake": "posted"}),
        json!({"v": 1, "wake": "posted"}),
    ] {
        assert!(!response.is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn every_message_fits_the_schema_of_feedback() {
    let feedback = validator(schema::feedback());
    let time = datetime!(2027-01-02 03:04:05.678 UTC);
    let unregistered = |source: Option<&str>| Feedback::Unregistered {
        app: "ios-prod".into(),
        device: "d1".into(),
        token_hash: "9f".repeat(32),
        reason: "ExpiredToken".into(),
        time,
        source: source.map(Into::into),
        event: source.map(Into::into),
    };
    for message in [
        unregistered(Some("shop")),
        unregistered(None),
        Feedback::Paused { app: "ios-prod".into(), reason: "r".into(), time, until: time },
        Feedback::Resumed { app: "ios-prod".into(), reason: "r".into(), time },
    ] {
        let message: Value = serde_json::from_str(&Message::new(message).to_json()).expect("JSON");
        assert!(feedback.is_valid(&message), "{message}: {:?}", feedback.validate(&message).err());
    }
    let newer = json!({"v": 1, "kind": "throttled", "app": "ios-prod", "share": 0.5});
    let added = json!({"v": 1, "kind": "resumed", "app": "a", "reason": "r", "time": "2027-01-02T03:04:16Z", "by": []});
    for message in [newer, added] {
        assert!(feedback.is_valid(&message), "{message}");
        serde_json::from_value::<Message>(message).expect("the type takes it too");
    }
    for wrong in [
        json!({"v": 1}),
        json!({"v": 1, "kind": "resumed"}),
        json!({"v": 2, "kind": "throttled"}),
        json!({"v": 1, "kind": "resumed", "app": "a", "reason": "r", "time": "yesterday"}),
    ] {
        assert!(!feedback.is_valid(&wrong), "{wrong}");
    }
}

use serde_json::json;

use super::*;

const DELAY: Option<Duration> = Some(Duration::from_secs(100));

fn fcm(code: &str) -> Value {
    json!({"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code})
}

fn violation(field: &str) -> Value {
    let violations = json!([{"field": field, "description": "Invalid value"}]);
    json!({"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations})
}

fn quota(subject: &str) -> Value {
    let violations = json!([{"subject": subject, "description": "Too many"}]);
    json!({"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations})
}

fn of(status: u16, canonical: &str, message: &str, details: &Value) -> Reading {
    let error = json!({"code": status, "status": canonical, "message": message, "details": details});
    read(status, DELAY, json!({ "error": error }).to_string().as_bytes())
}

/// Status, canonical code, message, details; the outcome's name and reason.
type Row = (u16, &'static str, &'static str, Value, &'static str, &'static str);

fn table() -> Vec<Row> {
    let none = || json!([]);
    vec![
        (
            404,
            "NOT_FOUND",
            "Requested entity was not found.",
            json!([fcm("UNREGISTERED")]),
            "unregistered",
            "UNREGISTERED",
        ),
        (404, "NOT_FOUND", "Requested entity was not found.", none(), "misconfigured", "NOT_FOUND"),
        (403, "PERMISSION_DENIED", "", json!([fcm("SENDER_ID_MISMATCH")]), "unregistered", "SENDER_ID_MISMATCH"),
        (403, "PERMISSION_DENIED", "", none(), "misconfigured", "PERMISSION_DENIED"),
        (400, "INVALID_ARGUMENT", INVALID_TOKEN, json!([fcm("INVALID_ARGUMENT")]), "unregistered", "INVALID_TOKEN"),
        (400, "INVALID_ARGUMENT", "", json!([violation("message.data[0].value")]), "rejected", "INVALID_ARGUMENT"),
        (400, "INVALID_ARGUMENT", "", json!([fcm("INVALID_ARGUMENT")]), "rejected", "INVALID_ARGUMENT"),
        (429, "RESOURCE_EXHAUSTED", "", json!([fcm("QUOTA_EXCEEDED")]), "throttled", "QUOTA_EXCEEDED"),
        (429, "RESOURCE_EXHAUSTED", "", none(), "throttled", "RESOURCE_EXHAUSTED"),
        (503, "UNAVAILABLE", "", json!([fcm("UNAVAILABLE")]), "unavailable", "UNAVAILABLE"),
        (500, "INTERNAL", "", json!([fcm("INTERNAL")]), "unavailable", "INTERNAL"),
        (500, "UNKNOWN", "", json!([fcm("UNSPECIFIED_ERROR")]), "unavailable", "UNSPECIFIED_ERROR"),
        (401, "UNAUTHENTICATED", "", json!([fcm("THIRD_PARTY_AUTH_ERROR")]), "misconfigured", "THIRD_PARTY_AUTH_ERROR"),
        (401, "UNAUTHENTICATED", "", none(), "misconfigured", "UNAUTHENTICATED"),
    ]
}

#[test]
fn every_answer_of_googles_table_has_its_outcome() {
    for (status, canonical, message, details, name, reason) in table() {
        let Reading { outcome, advice, .. } = of(status, canonical, message, &details);
        assert_eq!((outcome.name(), outcome.reason()), (name, Some(reason)), "{status} {details}");
        if let Outcome::Rejected { listed, .. } = outcome {
            assert!(listed, "{status} {details}");
        }
        let refused = status == 401 && details == json!([]);
        assert_eq!(advice == Advice::Refresh, refused, "{status} {details}");
    }
}

#[test]
fn what_is_not_retried_is_never_throttled_nor_unavailable() {
    for (status, canonical, message, details, ..) in table() {
        let outcome = of(status, canonical, message, &details).outcome;
        let retried = matches!(outcome, Outcome::Throttled { .. } | Outcome::Unavailable { .. });
        assert_eq!(retried, !matches!(status, 400 | 401 | 403 | 404), "{status}");
    }
}

#[test]
fn c12_a_payload_fault_whose_field_names_a_token_leaves_the_token_alone() {
    for field in ["message.token", "message.data[0].token", "message.data.token_url"] {
        for details in [json!([violation(field)]), json!([fcm("INVALID_ARGUMENT"), violation(field)])] {
            let outcome = of(400, "INVALID_ARGUMENT", "Request contains an invalid argument.", &details).outcome;
            assert_eq!(outcome, Outcome::Rejected { reason: "INVALID_ARGUMENT".into(), listed: true });
        }
    }
    let without_detail = of(400, "INVALID_ARGUMENT", INVALID_TOKEN, &json!([violation("message.token")]));
    assert_eq!(without_detail.outcome.name(), "rejected", "the message alone is not enough");
}

#[test]
fn c13_the_exact_message_with_its_detail_marks_the_token_and_no_other_message_does() {
    let details = json!([fcm("INVALID_ARGUMENT")]);
    let dead = Outcome::Unregistered { reason: "INVALID_TOKEN".into(), dead_at: None };
    assert_eq!(of(400, "INVALID_ARGUMENT", INVALID_TOKEN, &details).outcome, dead);
    for other in [
        "",
        "the registration token is not a valid FCM registration token",
        "The registration token is not a valid FCM registration token.",
        "The registration token is not a valid FCM registration token: message.token",
        "Invalid registration token",
    ] {
        assert_eq!(of(400, "INVALID_ARGUMENT", other, &details).outcome.name(), "rejected", "{other}");
    }
}

#[test]
fn delays_are_kept_above_their_floors() {
    let delay = |status: u16, asked: Option<u64>| {
        match read(status, asked.map(Duration::from_secs), b"").outcome {
            Outcome::Throttled { retry_after, .. } | Outcome::Unavailable { retry_after, .. } => retry_after,
            other => panic!("{other:?}"),
        }
        .map(|delay| delay.as_secs())
    };
    assert_eq!([None, Some(1), Some(61)].map(|asked| delay(429, asked)), [Some(60), Some(60), Some(61)]);
    for status in [500, 502, 503, 599, 408] {
        assert_eq!([None, Some(1), Some(11)].map(|asked| delay(status, asked)), [Some(10), Some(10), Some(11)]);
    }
}

#[test]
fn a_quota_throttles_the_whole_app_unless_it_is_the_devices_own() {
    let whole = |details: Value| match of(429, "RESOURCE_EXHAUSTED", "", &details).outcome {
        Outcome::Throttled { whole_provider, .. } => whole_provider,
        other => panic!("{other:?}"),
    };
    assert!(whole(json!([fcm("QUOTA_EXCEEDED")])));
    assert!(whole(json!([fcm("QUOTA_EXCEEDED"), quota("project:shop-1")])));
    assert!(!whole(json!([fcm("QUOTA_EXCEEDED"), quota("device:x")])));
}

#[test]
fn a_body_that_says_nothing_leaves_it_to_the_status() {
    let expected = [
        (200, "delivered"),
        (301, "misconfigured"),
        (400, "rejected"),
        (401, "misconfigured"),
        (403, "misconfigured"),
        (404, "misconfigured"),
        (405, "rejected"),
        (413, "rejected"),
        (429, "throttled"),
        (502, "unavailable"),
        (600, "misconfigured"),
    ];
    let html = "<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>";
    let deep = format!(r#"{{"error":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let odd = r#"{"error":{"status":7,"message":{},"details":[null,7,{"@type":7},{"@type":"x.FcmError"}]}}"#;
    for body in ["", "null", "[]", html, "{", r#"{"error":7}"#, r#"{"error":{"details":{}}}"#, odd, &deep] {
        for (status, name) in expected {
            let Reading { outcome, id, .. } = read(status, None, body.as_bytes());
            assert_eq!((outcome.name(), id), (name, None), "{status} {body}");
            assert!(outcome.reason().is_none_or(|reason| reason == format!("status {status}")));
        }
    }
}

#[test]
fn an_unlisted_code_is_rejected_under_its_own_name() {
    for status in [400, 405, 409] {
        let rejected = Outcome::Rejected { reason: "NEVER_HEARD_OF".into(), listed: false };
        assert_eq!(of(status, "", "", &json!([fcm("NEVER_HEARD_OF")])).outcome, rejected);
    }
}

#[test]
fn a_delivery_keeps_googles_name_of_the_message_if_it_is_one() {
    let id = |name: &str| read(200, None, json!({ "name": name }).to_string().as_bytes()).id;
    assert_eq!(id("projects/shop-1/messages/0:1500415314%31bd"), Some("0:1500415314%31bd".into()));
    for odd in ["", "projects/", "a b", "a\n", "é", &"a".repeat(129)] {
        assert_eq!(id(odd), None, "{odd}");
    }
}

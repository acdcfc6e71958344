//! The schema of a request against the reader of requests.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use crate::app::Apps;
use crate::contract::{Fault, Reading, read};
use crate::schema;

pub(super) static REQUEST: LazyLock<Validator> = LazyLock::new(|| {
    let schema = schema::request().to_value();
    jsonschema::draft202012::options().should_validate_formats(true).build(&schema).expect("a schema")
});

/// What the reader refuses and the schema can't: as docs/contract.md says it, and as the reader does.
const BEYOND: &[(&str, &[&str])] = &[
    ("a key given twice", &["is given twice"]),
    ("the same device twice", &["is the same device as"]),
    ("an `app` that is not configured", &["is not a configured app"]),
    (
        "a token, or a subscription, of another platform than its app's",
        &["is not for a device of platform", "must be an APNs token"],
    ),
    (
        "an endpoint of no push service that the app names",
        &[
            "is of no push service",
            "must be on port 443",
            "must not name a user",
            "must name its host, not an address",
            "must be the address a browser gave",
        ],
    ),
    ("a key that is no point of the curve", &["is no point of the curve"]),
    ("a time before 1970 or after 9999", &["must lie between the years"]),
    ("`expires_at` that is not later than `send_at`", &["must be later than send_at"]),
    ("a whole number written with a fraction or an exponent", &["v: must be 1", "must be a whole number"]),
    ("nesting deeper than 32 levels", &["is nested deeper than"]),
    ("a number beyond 64 bits with a fraction or an exponent", &["contains a number beyond 64 bits"]),
    (
        "the provider's final body",
        &[
            "bytes as sent to the provider",
            "an alert needs a title",
            "an alert to an Android device needs",
            "must be a string for an Android device",
            "is reserved by FCM",
            "`aps` must stay an object",
            "raw.fcm: ",
        ],
    ),
];

/// Every request of the reader's tests comes by here: the schema refuses nothing that the reader takes, and what it
/// takes the reader refuses only for what the schema can't say.
pub(crate) fn agrees(request: &str, reading: &Result<Reading, Fault>) {
    // What other readers of JSON refuse meets no schema: lone surrogates, numbers beyond every type.
    let Ok(value) = serde_json::from_str::<Value>(request) else { return };
    let faults = match reading {
        Err(fault) => vec![fault.clone()],
        Ok(Reading { call, devices, .. }) => {
            let devices = devices.iter().filter_map(|device| device.registration.as_ref().err());
            call.as_ref().err().into_iter().chain(devices).cloned().collect()
        }
    };
    let shown = || request.chars().take(2000).collect::<String>();
    match (REQUEST.validate(&value), faults.as_slice()) {
        (Err(error), []) => panic!("the reader takes what the schema refuses: {error}\n{}", shown()),
        (Err(_), _) => {}
        (Ok(()), faults) => {
            let unsaid = faults.iter().find(|fault| !is_beyond(&fault.to_string(), request));
            assert!(unsaid.is_none(), "the schema takes what the reader refuses: {unsaid:?}\n{}", shown());
        }
    }
}

fn is_beyond(fault: &str, request: &str) -> bool {
    // As `1.0` and `1e19` are.
    let written = request.as_bytes().windows(2).any(|two| two[0].is_ascii_digit() && matches!(two[1], b'.' | b'e'));
    let applies = |words: &str| written || !words.contains("with a fraction");
    BEYOND.iter().any(|(words, reasons)| applies(words) && reasons.iter().any(|reason| fault.contains(reason)))
}

const DEVICE: &str = r#"{"id":"d","app":"ios-prod","token":"aa"}"#;
const REST: &str = r#""source":"s","event":"e","notification":{"title":"t"}"#;

/// A request for each line of [`BEYOND`].
fn beyond() -> Vec<String> {
    let devices = |devices: &str| format!(r#"{{{REST},"devices":[{devices}]}}"#);
    let browser = |endpoint: &str, first: &str| {
        let p256dh =
            format!("{first}sr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
        devices(&format!(
            r#"{{"id":"b","app":"web","subscription":{{"endpoint":"{endpoint}","keys":
                {{"p256dh":"{p256dh}","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}}}}}"#
        ))
    };
    let with = |members: &str| format!(r#"{{{members},"devices":[{DEVICE}]}}"#);
    let data = |data: &str| with(&format!(r#""source":"s","event":"e","notification":{{"title":"t","data":{data}}}"#));
    vec![
        with(&format!(r#"{REST},"source":"s""#)),
        devices(&format!("{DEVICE},{DEVICE}")),
        devices(r#"{"id":"d","app":"gone","token":"aa"}"#),
        devices(r#"{"id":"d","app":"web","token":"aa"}"#),
        browser("https://push.example.com/x", "BCVx"),
        browser("https://fcm.googleapis.com/x", "BCVy"),
        with(&format!(r#"{REST},"send_at":"1969-01-01T00:00:00Z""#)),
        with(&format!(r#"{REST},"send_at":"2026-11-30T18:00:00Z","expires_at":"2026-11-30T18:00:00Z""#)),
        with(&format!(r#""v":1.0,{REST}"#)),
        data(&format!(r#"{{"a":{}{}}}"#, "[".repeat(40), "]".repeat(40))),
        data(r#"{"a":1e19}"#),
        data(&format!(r#"{{"a":"{}"}}"#, "x".repeat(5000))),
    ]
}

#[test]
fn what_the_schema_of_a_request_cannot_say_is_documented_and_refused_by_the_reader() {
    let page = super::page::page();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let requests = beyond();
    assert_eq!(requests.len(), BEYOND.len());
    let apps = Apps::parse(include_str!("apps.json")).expect("apps");
    for ((words, reasons), request) in BEYOND.iter().zip(requests) {
        assert!(page.contains(words), "docs/contract.md does not say: {words}");
        let value: Value = serde_json::from_str(&request).expect("JSON");
        assert!(REQUEST.is_valid(&value), "the schema can say it after all: {words}");
        let reading = read(&request, &apps).expect("devices");
        let refused = reading.devices.into_iter().filter_map(|device| device.registration.err());
        let faults: Vec<String> = refused.map(|fault| fault.to_string()).collect();
        let said = faults.iter().any(|fault| reasons.iter().any(|reason| fault.contains(reason)));
        assert!(said, "{words}: {faults:?}");
    }
}

#[test]
fn a_time_is_for_the_schema_what_it_is_for_the_reader() {
    let apps = Apps::parse(include_str!("apps.json")).expect("apps");
    for time in [
        "2026-11-30T18:00:00Z",
        "2026-11-30T18:00:00.123456789+05:30",
        "2026-11-30t18:00:00z",
        "2026-11-30 18:00:00Z",
        "2026-11-30T18:00:00",
        "2026-11-30T24:00:00Z",
        "2026-02-29T18:00:00Z",
        "2024-02-29T18:00:00-00:00",
        "2016-12-31T23:59:60Z",
        "2026-11-30T18:00Z",
        "2026-11-30T18:00:00+0100",
        "2026-11-30T18:00:00.Z",
        "2026-11-30T18:00:00+24:00",
        "1969-12-31T23:59:59-01:00",
        "+2026-11-30T18:00:00Z",
    ] {
        let request = format!(r#"{{{REST},"send_at":"{time}","devices":[{DEVICE}]}}"#);
        agrees(&request, &read(&request, &apps));
    }
}

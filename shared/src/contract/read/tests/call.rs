use serde_json::{Value, json};
use time::macros::datetime;

use super::{call_fault, notification_fault, reading, with_members, with_notification};
use crate::contract::{Kind, Priority};

const REST: &str = r#""source":"shop","event":"e1","notification":{"title":"t"}"#;

#[test]
fn a_call_is_read_whole() {
    let reading = with_members(
        r#""v":1,"source":"shop","event":"e1","kind":"alert","send_at":"2026-11-30T18:00:00Z",
        "expires_at":"2026-11-30T19:00:00+01:00","notification":{"title":"t","body":"","data":{"n":18446744073709551615},
        "sound":"default","badge":0,"collapse_id":"c","priority":"low","thread":"th","image":"https://x/y",
        "raw":{"apns":{"aps":{"category":"C"}}}}"#,
    );
    assert_eq!(reading.expect("devices").call.expect_err("expiry").field, "expires_at", "an hour's offset is counted");
    let reading = with_members(&format!(r#""kind":"alert","send_at":"2026-11-30T18:00:00Z",{REST}"#)).expect("devices");
    let call = reading.call.expect("a call");
    assert_eq!((call.source.as_str(), call.payload.event.as_str(), call.payload.kind), ("shop", "e1", Kind::Alert));
    assert_eq!((call.send_at, call.expires_at), (Some(datetime!(2026-11-30 18:00 UTC)), None));
    let notification = with_notification(
        r#"{"body":"","data":{"n":18446744073709551615,"f":0.1,"null":null},"badge":0,"priority":"low",
        "raw":{"apns":{"aps":{"category":"C"}}}}"#,
    );
    let notification = notification.call.expect("a call").payload.notification;
    assert_eq!((notification.badge, notification.priority), (Some(0), Some(Priority::Low)));
    assert_eq!(Value::Object(notification.data), json!({"n": u64::MAX, "f": 0.1, "null": null}));
}

#[test]
fn a_fault_of_the_call_names_its_field() {
    for (members, fault) in [
        (r#""event":"e","notification":{"title":"t"}"#, "source: is missing"),
        (r#""source":null,"event":"e","notification":{"title":"t"}"#, "source: is missing"),
        (r#""source":"s","event":"","notification":{"title":"t"}"#, "event: is empty"),
        (
            r#""source":"s","event":"\ud800","notification":{"title":"t"}"#,
            "event: is not valid Unicode (a lone surrogate)",
        ),
        (r#""source":"s\u0000","event":"e","notification":{"title":"t"}"#, "source: contains a NUL character"),
        (r#""source":"s","event":"e""#, "notification: is missing"),
        (r#""source":"s","event":"e","event":"f","notification":{"title":"t"}"#, "event: is given twice"),
        (r#""kind":"alarm","source":"s","event":"e""#, "kind: must be one of alert, background, dismiss"),
        (r#""kind":0,"source":"s","event":"e""#, "kind: must be a string"),
        (r#""v":2,"new":1"#, "v: must be 1"),
        (r#""v":"1","new":1"#, "v: must be 1"),
        (r#""v":1.0,"new":1"#, "v: must be 1"),
    ] {
        assert_eq!(call_fault(members), fault, "{members}");
    }
    assert!(call_fault(&format!(r#"{REST},"notifications":{{}}"#)).starts_with("notifications: is not a known field"));
    assert!(call_fault(&format!(r#"{REST},"\udfff":{{}}"#)).contains("is not a known field"));
}

#[test]
fn times_are_rfc_3339_between_1970_and_9999() {
    let time = "must be an RFC 3339 time, such as 2026-11-30T18:00:00Z";
    let range = "must lie between the years 1970 and 9999";
    for (value, reason) in [
        (r#""2026-11-30""#, time),
        (r#""2026-11-30T18:00:00""#, time),
        (r#""2026-13-30T18:00:00Z""#, time),
        (r#""""#, time),
        (r#""2026-11-30 18:00:00Z""#, time),
        (r#""9999-12-31T23:59:59-23:59""#, range),
        (r#""0000-01-01T00:00:00+23:59""#, range),
        (r#""0001-01-01T00:00:00Z""#, range),
        ("1764525600", "must be a string"),
    ] {
        for field in ["send_at", "expires_at"] {
            assert_eq!(call_fault(&format!(r#"{REST},"{field}":{value}"#)), format!("{field}: {reason}"), "{value}");
        }
    }
    let same = r#""send_at":"2026-11-30T18:00:00Z","expires_at":"2026-11-30T18:00:00Z""#;
    assert_eq!(call_fault(&format!("{REST},{same}")), "expires_at: must be later than send_at");
}

#[test]
fn a_fault_of_the_notification_names_its_field() {
    for (notification, fault) in [
        ("[]", ": must be an object"),
        (
            r#"{"titel":"t"}"#,
            ".titel: is not a known field; known are title, body, data, sound, badge, collapse_id, priority, thread, image, raw",
        ),
        (r#"{"title":7}"#, ".title: must be a string"),
        (r#"{"title":"\u0000"}"#, ".title: contains a NUL character"),
        (r#"{"body":"\udead"}"#, ".body: is not valid Unicode (a lone surrogate)"),
        (r#"{"title":"t","badge":-1}"#, ".badge: must be a whole number from 0 to 2147483647"),
        (r#"{"title":"t","badge":1.5}"#, ".badge: must be a whole number from 0 to 2147483647"),
        (r#"{"title":"t","badge":"1"}"#, ".badge: must be a whole number from 0 to 2147483647"),
        (r#"{"title":"t","badge":2147483648}"#, ".badge: must be a whole number from 0 to 2147483647"),
        (r#"{"title":"t","badge":99999999999999999999999}"#, ".badge: must be a whole number from 0 to 2147483647"),
        (r#"{"title":"t","sound":""}"#, ".sound: is empty"),
        (r#"{"title":"t","collapse_id":""}"#, ".collapse_id: is empty"),
        (r#"{"title":"t","thread":[]}"#, ".thread: must be a string"),
        (r#"{"title":"t","priority":"urgent"}"#, ".priority: must be one of high, normal, low"),
        (r#"{"title":"t","priority":10}"#, ".priority: must be a string"),
        (r#"{"title":"t","image":"http://x"}"#, ".image: must be an https:// address"),
        (r#"{"title":"t","image":"https://x y"}"#, ".image: must be an https:// address"),
        (r#"{"title":"t","data":"x"}"#, ".data: must be an object"),
        (r#"{"title":"t","data":{"aps":{}}}"#, ".data.aps: is reserved; use another key, or raw"),
        (r#"{"title":"t","data":{"pushwake":{}}}"#, ".data.pushwake: is reserved; use another key, or raw"),
        (r#"{"title":"t","data":{"a":1,"a":2}}"#, ".data.a: is given twice"),
        (r#"{"title":"t","data":{"a":1e999}}"#, ".data: can't be read: number out of range"),
        (
            r#"{"title":"t","data":{"a":18446744073709551616}}"#,
            ".data: contains a number beyond 64 bits; send it as a string",
        ),
        (r#"{"title":"t","data":{"a":["\u0000"]}}"#, ".data: contains a NUL character"),
        (r#"{"title":"t","data":{"a":{"\u0000":1}}}"#, ".data: contains a NUL character"),
        (r#"{"title":"t","raw":{"apsn":{}}}"#, ".raw.apsn: is not a known field; known are apns, fcm, webpush"),
        (r#"{"title":"t","raw":{"apns":[]}}"#, ".raw.apns: must be an object"),
    ] {
        assert_eq!(notification_fault(notification), format!("notification{fault}"), "{notification}");
    }
    let surrogate = notification_fault(r#"{"title":"t","data":{"a":["\ud800"]}}"#);
    assert!(
        surrogate.starts_with("notification.data: can't be read: ") && !surrogate.contains("column"),
        "{surrogate}"
    );
}

#[test]
fn deep_nesting_is_a_fault_of_its_field_and_overflows_nothing() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let data = |n: usize| format!(r#"{{"title":"t","data":{{"a":{}}}}}"#, nested(n));
    assert!(with_notification(&data(31)).call.is_ok());
    assert_eq!(notification_fault(&data(32)), "notification.data: is nested deeper than 32 levels");
    assert_eq!(notification_fault(&data(200)), "notification.data: can't be read: recursion limit exceeded");
    let deep = nested(500_000);
    assert!(notification_fault(&data(500_000)).starts_with("notification.data: can't be read"));
    assert_eq!(notification_fault(&format!(r#"{{"title":{deep}}}"#)), "notification.title: must be a string");
    assert_eq!(call_fault(&format!(r#""source":{deep}"#)), "source: must be a string");
    assert_eq!(reading(&deep).err().expect("a fault").to_string(), "request: must be an object");
}

#[test]
fn a_silent_push_has_nothing_to_show() {
    for kind in ["background", "dismiss"] {
        let head = format!(r#""kind":"{kind}","source":"s","event":"e""#);
        assert!(with_members(&head).expect("devices").call.is_ok());
        let good = r#"{"data":{"a":1},"priority":"low","collapse_id":"c","title":null}"#;
        assert!(with_members(&format!(r#"{head},"notification":{good}"#)).expect("devices").call.is_ok());
        for visible in [r#""title":"t""#, r#""body":"b""#, r#""sound":"s""#, r#""badge":0"#, r#""thread":"t""#] {
            let fault = call_fault(&format!(r#"{head},"notification":{{{visible}}}"#));
            assert!(fault.ends_with(&format!("is not for kind {kind}, which shows nothing")), "{fault}");
        }
        let high = call_fault(&format!(r#"{head},"notification":{{"priority":"high"}}"#));
        assert_eq!(high, "notification.priority: must be normal or low for a silent push");
    }
    let later = call_fault(r#""kind":"dismiss","source":"s","event":"e","send_at":"2026-11-30T18:00:00Z""#);
    assert_eq!(later, "send_at: is not for a dismissal, which holds from now on");
}

#[test]
fn what_the_final_body_makes_impossible_is_a_fault_of_the_device() {
    let fault = |notification: &str| {
        let reading = with_notification(notification);
        assert!(reading.call.is_ok());
        reading.devices[0].registration.as_ref().expect_err("a fault").to_string()
    };
    assert_eq!(fault("{}"), "notification: an alert needs a title, a body, a sound or a badge");
    let quotes = format!(r#"{{"body":"{}"}}"#, r#"\""#.repeat(2500));
    assert_eq!(fault(&quotes), "notification: is 5055 bytes as sent to the provider; at most 4096");
    assert_eq!(fault(r#"{"title":"t","raw":{"apns":{"aps":[]}}}"#), "notification.raw.apns: `aps` must stay an object");
}

#[test]
fn what_fcm_does_not_take_is_a_fault_of_its_devices_alone() {
    let faults = |notification: &str| {
        let devices = r#"[{"id":"i","app":"ios","token":"aa"},{"id":"a","app":"android","token":"aa"}]"#;
        let request = format!(r#"{{"source":"shop","event":"e1","notification":{notification},"devices":{devices}}}"#);
        let devices = reading(&request).expect("devices").devices;
        let fault = |n: usize| devices[n].registration.as_ref().err().map(ToString::to_string);
        assert_eq!(fault(0), None, "APNs takes it");
        fault(1).expect("FCM does not")
    };
    let string = "must be a string for an Android device";
    assert_eq!(faults(r#"{"title":"t","data":{"a":"1","x":1}}"#), format!("notification.data.x: {string}"));
    assert_eq!(faults(r#"{"title":"t","data":{"a b":null}}"#), format!(r#"notification.data["a b"]: {string}"#));
    assert_eq!(faults(r#"{"title":"t","data":{"x":{"y":"z"}}}"#), format!("notification.data.x: {string}"));
    let reserved = "is reserved by FCM; use another key";
    assert_eq!(faults(r#"{"title":"t","data":{"from":"x"}}"#), format!("notification.data.from: {reserved}"));
    assert_eq!(faults(r#"{"badge":0}"#), "notification: an alert to an Android device needs a title or a body");
    let raw = faults(r#"{"title":"t","raw":{"fcm":{"topic":"all"}}}"#);
    assert_eq!(raw, "notification.raw.fcm: must not name a token, a topic or a condition");
}

#[test]
fn devices_that_cannot_be_read_are_one_error() {
    for (request, fault) in [
        ("", "request: must be valid JSON"),
        ("{", "request: must be valid JSON"),
        ("null", "request: must be an object"),
        (r#"[{"devices":[]}]"#, "request: must be an object"),
        ("{}", "devices: is missing"),
        (r#"{"devices":{}}"#, "devices: must be an array"),
        (r#"{"devices":[]}"#, "devices: must name 1 to 500 devices"),
    ] {
        assert_eq!(reading(request).err().expect(request).to_string(), fault, "{request}");
    }
}

#[test]
fn more_than_500_devices_are_each_refused() {
    let request = |n: usize| {
        let devices: Vec<String> = (0..n).map(|d| format!(r#"{{"id":"d{d}","app":"ios","token":"aa"}}"#)).collect();
        format!(r#"{{{REST},"devices":[{}]}}"#, devices.join(","))
    };
    assert!(reading(&request(500)).expect("devices").call.is_ok());
    let many = reading(&request(501)).expect("devices");
    assert_eq!(many.devices.len(), 501);
    assert_eq!(many.call.expect_err("a fault").to_string(), "devices: names 501 devices; at most 500");
    let fault = reading(&request(2001)).err().expect("an error");
    assert_eq!(fault.to_string(), "devices: names 2001 devices; at most 500");
}

#[test]
fn the_fingerprint_is_that_of_the_content_in_whatever_order_it_was_written() {
    let fingerprint = |members: &str| with_members(members).expect("devices").call.expect("a call").fingerprint();
    let one = r#""source":"s","event":"e","notification":{"title":"t","data":{"a":1,"b":{"c":2,"d":3}}}"#;
    let same = r#""kind":"alert","notification":{"data":{"b":{"d":3,"c":2},"a":1},"title":"\u0074","body":null},
        "event":"e","source":"s""#;
    assert_eq!(fingerprint(one), fingerprint(same));
    assert_eq!(fingerprint(one)[..4], [0x31, 0x5c, 0xb9, 0x5f], "the same in every revision");
    for other in [
        r#""source":"s","event":"e","notification":{"title":"t","data":{"a":1,"b":{"c":2,"d":4}}}"#.to_owned(),
        format!(r#"{one},"expires_at":"2026-11-30T18:00:00Z""#),
        format!(r#"{one},"send_at":"2026-11-30T18:00:00Z""#),
    ] {
        assert_ne!(fingerprint(one), fingerprint(&other), "{other}");
    }
    let at = |time: &str| fingerprint(&format!(r#"{one},"send_at":"{time}""#));
    assert_eq!(at("2026-11-30T18:00:00Z"), at("2026-11-30T19:00:00.000+01:00"));
}

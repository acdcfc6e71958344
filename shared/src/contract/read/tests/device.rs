use time::macros::datetime;

use super::{device_fault, reading, with_device};
use crate::contract::Target;

#[test]
fn a_device_is_read_with_its_token_in_lower_case_and_its_time_in_utc() {
    let device = r#"{"id":"d-1","app":"ios","token":"AbCd","registered_at":"2026-11-30T20:00:00.5+02:00"}"#;
    let reading = with_device(device);
    let registration = reading.devices[1].registration.as_ref().expect("valid");
    assert_eq!(registration.device.as_str(), "d-1");
    assert_eq!(registration.app.as_str(), "ios");
    assert_eq!(registration.target, Target::Apns { token: "abcd".into() });
    assert_eq!(registration.registered_at, Some(datetime!(2026-11-30 18:00:00.5 UTC)));
}

#[test]
fn c30_every_fault_is_that_devices_alone_and_names_its_field() {
    let token = "must be an APNs token: 2 to 200 hex digits, an even number of them";
    let time = "must be an RFC 3339 time, such as 2026-11-30T18:00:00Z";
    let known = "is not a known field; known are id, app, token, subscription, registered_at";
    for (device, field, reason) in [
        ("null", "", "must be an object"),
        ("[]", "", "must be an object"),
        (r#""d""#, "", "must be an object"),
        ("{}", ".id", "is missing"),
        (r#"{"id":"d","app":"ios"}"#, ".token", "is missing"),
        (r#"{"id":"d","app":"ios","token":null}"#, ".token", "is missing"),
        (r#"{"id":"d","token":"aa"}"#, ".app", "is missing"),
        (r#"{"id":"d","app":"ios","tokn":"aa"}"#, ".tokn", known),
        (r#"{"id":"d","app":"ios","token":"aa","":1}"#, r#"[""]"#, known),
        (r#"{"id":"d","app":"ios","token":"aa","to ken":1}"#, r#"["to ken"]"#, known),
        (r#"{"id":"d","app":"ios","token":"aa","token":"bb"}"#, ".token", "is given twice"),
        (r#"{"id":"","app":"ios","token":"aa"}"#, ".id", "is empty"),
        (r#"{"id":7,"app":"ios","token":"aa"}"#, ".id", "must be a string"),
        (r#"{"id":"a\nb","app":"ios","token":"aa"}"#, ".id", "contains a control character"),
        (r#"{"id":"a\u0085b","app":"ios","token":"aa"}"#, ".id", "contains a control character"),
        (r#"{"id":"d","app":"windows","token":"aa"}"#, ".app", "is not a configured app"),
        (r#"{"id":"d","app":{},"token":"aa"}"#, ".app", "must be a string"),
        (r#"{"id":"d","app":"ios","token":""}"#, ".token", token),
        (r#"{"id":"d","app":"ios","token":"a"}"#, ".token", token),
        (r#"{"id":"d","app":"ios","token":"ag"}"#, ".token", token),
        (r#"{"id":"d","app":"ios","token":"aa "}"#, ".token", token),
        (r#"{"id":"d","app":"ios","token":"éé"}"#, ".token", token),
        (r#"{"id":"d","app":"ios","token":1e999}"#, ".token", "must be a string"),
        (r#"{"id":"d","app":"ios","token":"aa","registered_at":"yesterday"}"#, ".registered_at", time),
        (r#"{"id":"d","app":"ios","token":"aa","registered_at":1764525600}"#, ".registered_at", "must be a string"),
    ] {
        assert_eq!(device_fault(device), format!("devices[1]{field}: {reason}"), "{device}");
    }
    let digits = |n: usize| format!(r#"{{"id":"d","app":"ios","token":"{}"}}"#, "a".repeat(n));
    assert!(with_device(&digits(200)).devices[1].registration.is_ok());
    assert_eq!(device_fault(&digits(202)), format!("devices[1].token: {token}"));
}

#[test]
fn an_fcm_token_is_kept_as_it_is_and_a_bad_one_is_that_devices_alone() {
    let device = |token: &str| serde_json::json!({"id": "d", "app": "android", "token": token}).to_string();
    for token in ["cX:APA91b-_", &"a".repeat(4096)] {
        let reading = with_device(&device(token));
        let registration = reading.devices[1].registration.as_ref().expect("valid");
        assert_eq!(registration.target, Target::Fcm { token: token.into() });
    }
    let fault = "devices[1].token: must be an FCM registration token: 1 to 4096 visible ASCII characters";
    for odd in ["", " a", "a b", "a\n", "é", "a\u{7f}", &"a".repeat(4097)] {
        assert_eq!(device_fault(&device(odd)), fault, "{odd:?}");
    }
}

#[test]
fn c26n_nul_and_surrogates_are_that_devices_alone_in_every_field() {
    for (escape, reason) in [
        (r"\u0000", "contains a NUL character"),
        (r"\ud800", "is not valid Unicode (a lone surrogate)"),
        (r"\udc00x", "is not valid Unicode (a lone surrogate)"),
        (r"\ud800\ud800", "is not valid Unicode (a lone surrogate)"),
    ] {
        for field in ["id", "app", "token", "registered_at"] {
            let values = ["id", "app", "token", "registered_at"].map(|name| match name {
                _ if name == field => format!(r#""{name}":"a{escape}""#),
                "registered_at" => r#""registered_at":"2026-01-01T00:00:00Z""#.to_owned(),
                "app" => r#""app":"ios""#.to_owned(),
                _ => format!(r#""{name}":"aa""#),
            });
            let fault = device_fault(&format!("{{{}}}", values.join(",")));
            assert_eq!(fault, format!("devices[1].{field}: {reason}"));
        }
        let key = device_fault(&format!(r#"{{"id":"d","app":"ios","token":"aa","k{escape}":1}}"#));
        assert!(key.contains("is not a known field"), "{key}");
    }
}

#[test]
fn ids_are_counted_in_characters() {
    let id = |c: &str, n: usize| format!(r#"{{"id":"{}","app":"ios","token":"aa"}}"#, c.repeat(n));
    for character in ["a", "é", "🚀", r"\ud83d\ude80", r#"\""#] {
        assert!(with_device(&id(character, 256)).devices[1].registration.is_ok(), "{character}");
        let fault = device_fault(&id(character, 257));
        assert_eq!(fault, "devices[1].id: is 257 characters long; at most 256", "{character}");
    }
}

#[test]
fn a_faulty_device_is_still_named_where_its_id_and_app_can_be_read() {
    let reading = with_device(r#"{"id":"d","app":"gone","tokn":"aa"}"#);
    let device = &reading.devices[1];
    assert_eq!((device.id.clone(), device.app.clone()), (Some("d".into()), Some("gone".into())));
    let reading = with_device(r#"{"id":"\ud800","app":"ios"}"#);
    assert_eq!((reading.devices[1].id.clone(), reading.devices[1].app.clone()), (None, Some("ios".into())));
}

#[test]
fn a_fault_of_the_call_is_every_devices() {
    let request = r#"{"source":"s","devices":[{"id":"d","app":"ios","token":"aa"},7]}"#;
    for device in reading(request).expect("devices").devices {
        assert_eq!(device.registration.expect_err("a fault").to_string(), "event: is missing");
    }
}

#[test]
fn a_device_named_twice_is_refused_the_second_time() {
    let same = r#"{"id":"before","app":"ios","token":"cc"}"#;
    assert_eq!(device_fault(same), "devices[1].id: is the same device as devices[0]");
    let other_app = with_device(r#"{"id":"before","app":"ipad","token":"cc"}"#);
    assert!(other_app.devices[1].registration.is_ok());
}

#[test]
fn a_device_that_was_refused_does_not_stand_in_the_way_of_itself() {
    let request = r#"{"source":"s","event":"e","notification":{"title":"t"},"devices":[
        {"id":"d","app":"ios","token":"x"},{"id":"d","app":"ios","token":"aa"},{"id":"d","app":"ios","token":"bb"}]}"#;
    let devices = reading(request).expect("devices").devices;
    let valid: Vec<bool> = devices.iter().map(|device| device.registration.is_ok()).collect();
    assert_eq!(valid, [false, true, false]);
}

#[test]
fn no_fault_repeats_a_value() {
    for field in ["id", "app", "token", "registered_at"] {
        let fault = device_fault(&format!(r#"{{"id":"d","app":"ios","token":"aa","{field}":"CANARY\u0000"}}"#));
        assert!(!fault.contains("CANARY"), "{fault}");
    }
}

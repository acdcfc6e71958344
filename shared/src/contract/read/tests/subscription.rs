use super::{device_fault, with_device};
use crate::contract::Target;

/// The subscription of RFC 8291's example.
const P256DH: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
const ENDPOINT: &str = "https://fcm.googleapis.com/fcm/send/abc";

fn device(subscription: &str) -> String {
    format!(r#"{{"id":"b","app":"web","subscription":{subscription}}}"#)
}

fn of(endpoint: &str, p256dh: &str, auth: &str) -> String {
    device(&format!(r#"{{"endpoint":"{endpoint}","keys":{{"p256dh":"{p256dh}","auth":"{auth}"}}}}"#))
}

fn target(device: &str) -> Target {
    with_device(device).devices[1].registration.as_ref().expect(device).target.clone()
}

#[test]
fn a_subscription_is_stored_in_one_way_however_it_was_written() {
    let stored = Target::WebPush { endpoint: ENDPOINT.into(), p256dh: P256DH.into(), auth: AUTH.into() };
    assert_eq!(target(&of(ENDPOINT, P256DH, AUTH)), stored);
    let other = of("https://FCM.googleapis.com:443/fcm/send/abc", &format!("{P256DH}="), &format!("{AUTH}=="));
    assert_eq!(target(&other), stored);
    let browsers = format!(
        r#"{{"endpoint":"{ENDPOINT}","expirationTime":1.7e12,"keys":{{"auth":"{AUTH}","p256dh":"{P256DH}"}}}}"#
    );
    assert_eq!(target(&device(&browsers)), stored);
    assert_eq!(Target::from_json(&stored.to_json()), Ok(stored.clone()));
    assert_eq!(format!("{stored:?}"), "WebPush(..)");
}

#[test]
fn a_dead_subscription_is_remembered_by_its_endpoint() {
    let other_keys = target(&of(ENDPOINT, P256DH, "AAAAAAAAAAAAAAAAAAAAAA"));
    assert_eq!(target(&of(ENDPOINT, P256DH, AUTH)).hash(), other_keys.hash());
    assert_ne!(target(&of(&format!("{ENDPOINT}d"), P256DH, AUTH)).hash(), other_keys.hash());
}

#[test]
fn every_fault_of_a_subscription_names_its_field() {
    let point = "must be an uncompressed point: 65 bytes in base64url, the first a 4";
    let off_the_curve = format!("{}A", &P256DH[..P256DH.len() - 1]);
    let hybrid = format!("Bi{}", &P256DH[2..]);
    for (device, field, reason) in [
        (device("7"), "", "must be an object"),
        (device("[]"), "", "must be an object"),
        (device("{}"), ".endpoint", "is missing"),
        (r#"{"id":"b","app":"web"}"#.into(), "", "is missing"),
        (device(&format!(r#"{{"endpoint":"{ENDPOINT}"}}"#)), ".keys", "is missing"),
        (device(&format!(r#"{{"endpoint":"{ENDPOINT}","keys":{{}}}}"#)), ".keys.p256dh", "is missing"),
        (device(&format!(r#"{{"endpoint":"{ENDPOINT}","keys":"x"}}"#)), ".keys", "must be an object"),
        (
            device(r#"{"endpoint":"x","key":{}}"#),
            ".key",
            "is not a known field; known are endpoint, keys, expirationTime",
        ),
        (of("", P256DH, AUTH), ".endpoint", "is empty"),
        (of("http://fcm.googleapis.com/x", P256DH, AUTH), ".endpoint", "must be an https:// address"),
        (of("https://fcm.googleapis.com:8080/x", P256DH, AUTH), ".endpoint", "must be on port 443"),
        (of("https://a@fcm.googleapis.com/x", P256DH, AUTH), ".endpoint", "must not name a user"),
        (of("https://127.0.0.1/x", P256DH, AUTH), ".endpoint", "must name its host, not an address"),
        (
            of("https://push.example.com/x", P256DH, AUTH),
            ".endpoint",
            "is of no push service that the app's hosts name",
        ),
        (of(ENDPOINT, "", AUTH), ".keys.p256dh", "is empty"),
        (of(ENDPOINT, "a b", AUTH), ".keys.p256dh", "must be base64url"),
        (of(ENDPOINT, AUTH, AUTH), ".keys.p256dh", point),
        (of(ENDPOINT, &P256DH[..86], AUTH), ".keys.p256dh", point),
        (of(ENDPOINT, &format!("{P256DH}AAAA"), AUTH), ".keys.p256dh", point),
        (of(ENDPOINT, &format!("{P256DH}A"), AUTH), ".keys.p256dh", point),
        (of(ENDPOINT, &format!("{P256DH}AA"), AUTH), ".keys.p256dh", "must be base64url"),
        (of(ENDPOINT, &hybrid, AUTH), ".keys.p256dh", point),
        (of(ENDPOINT, &off_the_curve, AUTH), ".keys.p256dh", "is no point of the curve P-256"),
        (of(ENDPOINT, P256DH, "AAAA"), ".keys.auth", "must be 16 bytes in base64url"),
        (of(ENDPOINT, P256DH, &"A".repeat(23)), ".keys.auth", "must be 16 bytes in base64url"),
        (of(ENDPOINT, P256DH, "BTBZMqHH6r4Tts7J+aSIgg"), ".keys.auth", "must be base64url"),
        (of(ENDPOINT, P256DH, r"\u0000"), ".keys.auth", "contains a NUL character"),
    ] {
        assert_eq!(device_fault(&device), format!("devices[1].subscription{field}: {reason}"), "{device}");
    }
}

#[test]
fn a_token_is_not_for_a_browser_nor_a_subscription_for_a_phone() {
    let token = device_fault(r#"{"id":"b","app":"web","token":"aa"}"#);
    assert_eq!(token, "devices[1].token: is not for a device of platform webpush");
    let subscription = device_fault(r#"{"id":"b","app":"ios","token":"aa","subscription":{}}"#);
    assert_eq!(subscription, "devices[1].subscription: is not for a device of platform apns");
}

#[test]
fn c36s_no_fault_of_a_subscription_repeats_a_value() {
    for device in [
        of("https://CANARY.example.com/CANARY", P256DH, AUTH),
        of("CANARY", P256DH, AUTH),
        of(ENDPOINT, "CANARY", AUTH),
        of(ENDPOINT, P256DH, "CANARY"),
    ] {
        assert!(!device_fault(&device).contains("CANARY"), "{device}");
    }
}

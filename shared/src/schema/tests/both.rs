//! What both the schema and the reader take, and what both refuse, at the edges of each rule.

use serde_json::Value;

use super::request::REQUEST;
use crate::app::Apps;
use crate::contract::read;

const DEVICE: &str = r#"{"id":"d","app":"ios-prod","token":"aa"}"#;
const P256DH: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

fn with(members: &str) -> String {
    format!(r#"{{"source":"s","event":"e",{members},"devices":[{DEVICE}]}}"#)
}

fn of(device: &str) -> String {
    format!(r#"{{"source":"s","event":"e","notification":{{"title":"t"}},"devices":[{device}]}}"#)
}

fn browser(p256dh: &str, auth: &str, more: &str) -> String {
    of(&format!(
        r#"{{"id":"b","app":"web","subscription":{{"endpoint":"https://fcm.googleapis.com/x",
            "keys":{{"p256dh":"{p256dh}","auth":"{auth}"}}{more}}}}}"#
    ))
}

/// Whether the schema takes it, and whether the reader does.
fn taken(request: &str) -> (bool, bool) {
    let apps = Apps::parse(include_str!("apps.json")).expect("apps");
    let value: Value = serde_json::from_str(request).expect("JSON");
    let read = read(request, &apps);
    let read = read.is_ok_and(|read| read.call.is_ok() && read.devices.iter().all(|one| one.registration.is_ok()));
    (REQUEST.is_valid(&value), read)
}

#[test]
fn both_take_the_edges_of_every_rule_and_null_for_what_may_be_left_out() {
    let nothing = r#""title":"t","body":null,"data":null,"sound":null,"badge":null,"collapse_id":null,"priority":null,
        "thread":null,"image":null,"raw":null"#;
    let silent = r#""title":null,"body":null,"sound":null,"badge":null,"priority":null,"thread":null,"image":null,
        "raw":{"apns":null,"fcm":null,"webpush":null}"#;
    // x begins with its highest digit.
    let high = "BPV5uO8onaCJFX9DgVVzwOw2Jnw9souY7yf9rNWEVc5iu7gyWlQco4CLHggo-TZMjIMBR7yA4EtHcqSgwUv1hk8";
    for request in [
        with(&format!(r#""v":null,"kind":null,"send_at":null,"expires_at":null,"notification":{{{nothing}}}"#)),
        with(r#""kind":"background","notification":null"#),
        with(&format!(r#""kind":"background","notification":{{{silent}}}"#)),
        with(&format!(r#""kind":"dismiss","send_at":null,"notification":{{{silent}}}"#)),
        with(r#""notification":{"badge":2147483647}"#),
        with(r#""notification":{"badge":0,"data":{"a":[18446744073709551615,-9223372036854775808,0.5]}}"#),
        of(r#"{"id":"d","app":"ios-prod","token":"aa","subscription":null,"registered_at":null}"#),
        browser(high, AUTH, ""),
        browser(P256DH, &format!("{AUTH}="), r#","expirationTime":{"any":["thing"]}"#),
    ] {
        assert_eq!(taken(&request), (true, true), "{request}");
    }
}

#[test]
fn both_refuse_what_lies_beyond_the_edges_of_every_rule() {
    let both = format!(
        r#"{{"id":"d","app":"ios-prod","token":"aa","subscription":
            {{"endpoint":"https://fcm.googleapis.com/x","keys":{{"p256dh":"{P256DH}","auth":"{AUTH}"}}}}}}"#
    );
    let last = |key: &str, last: char| format!("{}{last}", &key[..key.len() - 1]);
    for request in [
        with(r#""notification":{"badge":2147483648}"#),
        with(r#""notification":{"badge":-1}"#),
        with(r#""notification":{"title":"t","data":{"a":18446744073709551616}}"#),
        with(r#""notification":{"title":"t","raw":{"apns":{"a":{"b":-9223372036854777856}}}}"#),
        with(r#""notification":{"title":"t","collapse_id":""}"#),
        with(r#""notification":null"#),
        of(&both),
        of(r#"{"id":"d","app":"ios-prod","token":null,"subscription":null}"#),
        browser(P256DH, AUTH, r#","extra":1"#),
        // Bits that no byte has.
        browser(&last(P256DH, '5'), AUTH, ""),
        browser(P256DH, &last(AUTH, 'h'), ""),
        browser(P256DH, &format!("{AUTH}==="), ""),
        browser(&P256DH.replacen("BC", "BQ", 1), AUTH, ""),
    ] {
        assert_eq!(taken(&request), (false, false), "{request}");
    }
}

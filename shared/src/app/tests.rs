use super::{Apps, Environment, Platform};
use crate::contract::AppId;

const GOOD: &str = r#"{"ios-prod":{"platform":"apns","topic":"com.example.app","environment":"production",
    "team":"TEAM123456","key_id":"KEY1234567","key":"file:/keys/key.p8","base_url":"https://localhost:1234/"},
    "ios-dev":{"platform":"apns","topic":"com.example.app","environment":"sandbox",
    "team":"TEAM123456","key_id":"KEY1234567","key":"secretsmanager:push/dev"}}"#;

fn faults(json: &str) -> Vec<String> {
    Apps::parse(json).expect_err("faults").0.iter().map(ToString::to_string).collect()
}

#[test]
fn apps_are_found_by_id_with_their_settings() {
    let apps = Apps::parse(GOOD).expect("apps");
    assert_eq!(apps.ids().map(AppId::as_str).collect::<Vec<_>>(), ["ios-dev", "ios-prod"]);
    let find = |id: &str| {
        let Platform::Apns(app) = &apps.find(&id.into()).expect(id).platform else { panic!("another platform") };
        app.clone()
    };
    let prod = find("ios-prod");
    assert_eq!((prod.topic.as_str(), prod.base_url.as_str()), ("com.example.app", "https://localhost:1234"));
    let dev = find("ios-dev");
    assert_eq!((dev.environment, dev.base_url.as_str()), (Environment::Sandbox, "https://api.sandbox.push.apple.com"));
    assert!(apps.find(&"ios".into()).is_none());
}

#[test]
fn all_faults_are_reported_together() {
    let faults = faults(
        r#"{"a":{"platform":"apns","topic":"","environment":"prod","team":7,"key":"-----BEGIN PRIVATE KEY-----",
            "base_url":"http://x","topik":"x"},"b":{"platform":"apms"},"c":[],"":{}}"#,
    );
    let fields: Vec<&str> = faults.iter().map(|fault| fault.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(
        fields,
        [
            "a.topik",
            "a.topic",
            "a.team",
            "a.key_id",
            "a.key",
            "a.environment",
            "a.base_url",
            "b.platform",
            "c",
            r#"[""]"#,
            "[\"\"].platform"
        ]
    );
}

#[test]
fn no_fault_repeats_a_value() {
    let secret = "CANARY";
    let json = format!(
        r#"{{"a":{{"platform":"{secret}"}},"b":{{"platform":"apns","topic":"{secret} x","environment":"{secret}",
            "team":"{secret} x","key_id":"\ud800{secret}","key":"{secret}","base_url":"{secret}"}}}}"#
    );
    assert!(!faults(&json).concat().contains(secret));
    assert!(!Apps::parse(&format!("{{{secret}")).expect_err("fault").to_string().contains(secret));
}

#[test]
fn what_is_not_an_object_of_apps_is_refused() {
    assert_eq!(faults(""), ["apps: must be valid JSON"]);
    assert_eq!(faults("[]"), ["apps: must be an object"]);
    assert_eq!(faults("{}"), ["apps: must name at least one app"]);
    assert_eq!(faults(r#"{"a":{},"a":{}}"#)[0], "a: is given twice");
}

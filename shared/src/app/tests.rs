use super::{Apps, Environment, Fcm, Platform};
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
fn an_fcm_app_has_a_project_and_perhaps_other_addresses() {
    let fcm = |json: &str| {
        let apps = Apps::parse(&format!(r#"{{"android":{{"platform":"fcm",{json}}}}}"#)).expect("apps");
        let Platform::Fcm(settings) = &apps.find(&"android".into()).expect("android").platform else {
            panic!("android is of FCM")
        };
        settings.clone()
    };
    let base_url = "https://fcm.googleapis.com".to_owned();
    let plain = Fcm { project: "shop-1".into(), key: "file:/k.json".into(), base_url, token_url: None };
    assert_eq!(fcm(r#""project":"shop-1","key":"file:/k.json""#), plain);
    assert_eq!(fcm(r#""project":"example.com:shop","key":"file:/k.json""#).project, "example.com:shop");
    let moved = r#""project":"shop-1","key":"file:/k.json","base_url":"https://localhost:1/","token_url":"https://localhost:1/token""#;
    let expected = Fcm {
        base_url: "https://localhost:1".into(),
        token_url: Some("https://localhost:1/token".into()),
        ..plain.clone()
    };
    assert_eq!(fcm(moved), expected);
}

#[test]
fn an_fcm_apps_faults_name_their_settings() {
    for (setting, value) in [
        ("project", ""),
        ("project", "a/b"),
        ("project", ".."),
        ("project", "a?b"),
        ("project", "a b"),
        ("key", "{\"type\":\"service_account\"}"),
        ("base_url", "https://localhost:1/v1"),
        ("token_url", "http://localhost/token"),
        ("token_url", "https:///token"),
        ("token_url", "https://a@localhost/token"),
        ("token_url", "https://localhost/token?x=1"),
    ] {
        let mut settings = serde_json::json!({"platform": "fcm", "project": "shop-1", "key": "file:/k.json"});
        settings[setting] = value.into();
        let faults = faults(&serde_json::json!({ "android": settings }).to_string());
        assert!(faults.len() == 1 && faults[0].starts_with(&format!("android.{setting}: ")), "{faults:?}");
    }
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

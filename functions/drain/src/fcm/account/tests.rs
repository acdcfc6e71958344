use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use time::macros::datetime;

use super::*;

/// Made for these tests; it signs for nobody.
const KEY: &str = include_str!("rsa2048.pem");

fn file(private_key: &str) -> Value {
    json!({
        "type": "service_account", "project_id": "shop-1", "private_key_id": "key-1", "private_key": private_key,
        "client_email": "push@shop-1.iam.gserviceaccount.com", "token_uri": "https://oauth2.googleapis.com/token",
    })
}

#[test]
fn an_assertion_says_who_asks_for_what_and_for_how_long() {
    let account = Account::read(&file(KEY).to_string()).expect("a key");
    let now = datetime!(2026-01-01 12:00 UTC);
    let assertion = account.assertion("https://oauth2.googleapis.com/token", now).expect("signed");
    let parts: Vec<_> = assertion.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).expect("Base64URL")).collect();
    let json = |part: &[u8]| serde_json::from_slice::<Value>(part).expect("JSON");
    assert_eq!(json(&parts[0]), json!({"typ": "JWT", "alg": "RS256", "kid": "key-1"}));
    let iat = now.unix_timestamp() - 30;
    assert_eq!(
        json(&parts[1]),
        json!({
            "iss": "push@shop-1.iam.gserviceaccount.com", "aud": "https://oauth2.googleapis.com/token",
            "scope": "https://www.googleapis.com/auth/firebase.messaging", "iat": iat, "exp": iat + 3600,
        })
    );
    assert_eq!(parts[2].len(), 256);
}

#[test]
fn a_key_that_is_none_is_refused_without_showing_it() {
    let mut odd = vec![String::new(), "canary".to_owned(), "{}".to_owned(), KEY.to_owned()];
    for broken in ["", "canary", "-----BEGIN PRIVATE KEY-----\nY2FuYXJ5\n-----END PRIVATE KEY-----\n"] {
        odd.push(file(broken).to_string());
    }
    odd.push(file(include_str!("../../apns/token/p256.pem")).to_string());
    for member in ["client_email", "private_key", "token_uri"] {
        let mut file = file(KEY);
        file[member] = Value::Null;
        odd.push(file.to_string());
    }
    for odd in odd {
        let error = Account::read(&odd).expect_err("no key");
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
    let account = Account::read(&file(KEY).to_string()).expect("a key");
    let shown = format!("{account:?}");
    assert!(KEY.lines().all(|line| !shown.contains(line)), "a key is never shown");
}

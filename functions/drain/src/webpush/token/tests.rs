use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use p256::pkcs8::EncodePrivateKey as _;
use p256::pkcs8::LineEnding;
use pushwake::app::{Apps, Platform};
use serde_json::{Value, json};
use time::Duration;
use time::macros::datetime;

use super::*;

/// A pair from RFC 8291's example; it signs for nobody.
pub(in crate::webpush) const KEY: &str = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
const PUBLIC_KEY: &str = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
const NOON: OffsetDateTime = datetime!(2026-01-01 12:00 UTC);

/// An app with that pair, of the big services.
pub(in crate::webpush) fn app() -> WebPush {
    let settings = json!({"web": {"platform": "webpush", "subject": "mailto:push@example.com",
        "public_key": PUBLIC_KEY, "key": "file:/vapid"}});
    let apps = Apps::parse(&settings.to_string()).expect("settings");
    let Platform::WebPush(app) = &apps.iter().next().expect("one app").platform else { panic!("another platform") };
    app.clone()
}

fn sign(origin: &str) -> Token {
    TokenSource::new(&app(), KEY).expect("a key").sign(origin, NOON)
}

#[test]
fn a_token_is_what_rfc_8292_asks_for_and_another_library_verifies_it() {
    for origin in ["https://fcm.googleapis.com", "https://localhost:8443"] {
        let token = sign(origin);
        assert!(token.authorization.is_sensitive());
        let value = token.authorization.to_str().expect("text");
        let jwt = value.strip_prefix("vapid t=").and_then(|rest| rest.strip_suffix(&format!(", k={PUBLIC_KEY}")));
        let jwt = jwt.expect("t and k");
        let point = URL_SAFE_NO_PAD.decode(PUBLIC_KEY).expect("base64url");
        let [x, y] = [&point[1..33], &point[33..]].map(|half| URL_SAFE_NO_PAD.encode(half));
        let key = DecodingKey::from_ec_components(&x, &y).expect("a public key");
        let mut validation = Validation::new(Algorithm::ES256);
        validation.validate_exp = false;
        validation.set_audience(&[origin]);
        let claims = jsonwebtoken::decode::<Value>(jwt, &key, &validation).expect("verified").claims;
        let expires = NOON.unix_timestamp() + 12 * 3600;
        assert_eq!(claims, json!({"aud": origin, "exp": expires, "sub": "mailto:push@example.com"}));
        assert!(!jwt.contains('='), "base64url without padding");
    }
}

#[test]
fn a_token_is_replaced_an_hour_before_its_end_and_after_a_step_back() {
    let token = sign("https://fcm.googleapis.com");
    let good = |hours| token.is_good(NOON + Duration::hours(hours));
    assert_eq!([-2, -1, 0, 6, 11, 12, 13].map(good), [false, true, true, true, true, false, false]);
}

#[test]
fn a_key_may_be_what_vapid_tools_print_or_pem() {
    let secret = SecretKey::from_slice(&URL_SAFE_NO_PAD.decode(KEY).expect("base64url")).expect("a key");
    let pkcs8 = secret.to_pkcs8_pem(LineEnding::LF).expect("PEM");
    let sec1 = secret.to_sec1_pem(LineEnding::LF).expect("PEM");
    for key in [KEY, &format!("{KEY}=\n"), &*pkcs8, &*sec1] {
        assert!(TokenSource::new(&app(), key).is_ok(), "a form of the same key");
    }
}

#[test]
fn a_key_of_another_pair_or_none_at_all_says_what_to_store() {
    let other = include_str!("../../apns/token/p256.pem");
    assert_eq!(TokenSource::new(&app(), other).err(), Some(KeyError::OtherPair));
    let p384 = include_str!("../../apns/token/p384.pem");
    for none in ["", "CANARY", PUBLIC_KEY, &"A".repeat(43), "-----BEGIN PRIVATE KEY-----", p384] {
        let error = TokenSource::new(&app(), none).err().expect("no key");
        assert_eq!(error, KeyError::Unreadable);
        assert!(!error.to_string().contains("CANARY"));
    }
}

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::Duration;
use time::macros::datetime;

use super::*;

/// Made for these tests; they sign for nobody.
const KEY: &str = include_str!("p256.pem");
const P384: &str = include_str!("p384.pem");
const NOON: OffsetDateTime = datetime!(2026-01-01 12:00 UTC);

impl Token {
    pub(in crate::apns) fn for_test(bearer: &'static str) -> Self {
        Self { iat: 0, bearer: HeaderValue::from_static(bearer) }
    }
}

fn source() -> TokenSource {
    TokenSource::new("TEAM123456", "KEY1234567", KEY).expect("a key")
}

fn minutes(after_noon: i64) -> OffsetDateTime {
    NOON + Duration::minutes(after_noon)
}

/// Minutes after noon.
fn iat(token: &Token) -> i64 {
    (token.iat - NOON.unix_timestamp()) / 60
}

#[test]
fn two_instances_sign_the_same_bytes_for_half_an_hour() {
    let first = source().current(minutes(0)).expect("signed");
    for after in [0, 1, 29] {
        assert_eq!(source().current(minutes(after)).expect("signed").bearer, first.bearer);
    }
    assert_ne!(source().current(minutes(30)).expect("signed").bearer, first.bearer);
}

#[test]
fn the_token_says_who_signed_and_when_in_base64url() {
    let token = source().current(minutes(17)).expect("signed");
    let jwt = token.bearer.to_str().expect("text").strip_prefix("bearer ").expect("a bearer");
    let parts: Vec<_> = jwt.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).expect("Base64URL")).collect();
    let json = |part: &[u8]| serde_json::from_slice::<serde_json::Value>(part).expect("JSON");
    assert_eq!(json(&parts[0]), serde_json::json!({"typ": "JWT", "alg": "ES256", "kid": "KEY1234567"}));
    assert_eq!(json(&parts[1]), serde_json::json!({"iss": "TEAM123456", "iat": NOON.unix_timestamp()}));
    assert_eq!(parts[2].len(), 64);
    assert!(!format!("{token:?} {:?}", source()).contains(jwt), "a token is never shown");
}

#[test]
fn c18_a_clock_that_jumps_makes_no_second_token_within_twenty_minutes() {
    let source = source();
    assert_eq!(iat(&source.current(minutes(35)).expect("signed")), 30);
    for jumped in [29, 11, 49] {
        assert_eq!(iat(&source.current(minutes(jumped)).expect("signed")), 30);
    }
    assert_eq!(iat(&source.current(minutes(60)).expect("signed")), 60);
}

#[test]
fn an_expired_token_is_refreshed_once_twenty_minutes_after_it() {
    let source = source();
    let used = source.current(minutes(0)).expect("signed");
    assert_eq!(source.refresh(&used, minutes(19)), None);
    let fresh = source.refresh(&used, minutes(21)).expect("twenty minutes are over");
    assert_eq!(iat(&fresh), 20);
    assert_eq!(source.refresh(&used, minutes(22)), Some(fresh.clone()), "another send shares it");
    assert_eq!(source.refresh(&fresh, minutes(22)), None);
    assert_eq!(source.current(minutes(39)).expect("signed"), fresh, "the grid waits for the twenty minutes too");
    assert_eq!(source.current(minutes(59)).expect("signed"), fresh);
    assert_eq!(iat(&source.refresh(&fresh, minutes(40)).expect("twenty minutes are over")), 40);
    assert_eq!(iat(&source.current(minutes(61)).expect("signed")), 60);
}

#[test]
fn an_old_token_found_after_a_freeze_is_refreshed_to_the_grid() {
    let source = source();
    let used = source.current(minutes(0)).expect("signed");
    assert_eq!(iat(&source.refresh(&used, minutes(95)).expect("refreshed")), 90);
}

#[test]
fn too_many_updates_hold_the_old_token_but_not_until_it_dies() {
    let source = source();
    source.current(minutes(0)).expect("signed");
    source.hold(minutes(29));
    let used = source.current(minutes(31)).expect("signed");
    assert_eq!(iat(&used), 0);
    assert_eq!(source.refresh(&used, minutes(31)), None);
    assert_eq!(iat(&source.current(minutes(49)).expect("signed")), 30, "the hold is over");
    source.hold(minutes(79));
    assert_eq!(iat(&source.current(minutes(81)).expect("signed")), 60, "fifty minutes are too old");
}

#[test]
fn apps_of_one_team_and_key_share_one_token() {
    let mut tokens = Tokens::default();
    let first = tokens.of("TEAM123456", "KEY1234567", KEY).expect("a key");
    assert!(Arc::ptr_eq(&first, &tokens.of("TEAM123456", "KEY1234567", KEY).expect("a key")));
    assert!(!Arc::ptr_eq(&first, &tokens.of("TEAM654321", "KEY1234567", KEY).expect("a key")));
}

#[test]
fn a_key_that_is_none_is_refused_without_showing_it() {
    for odd in ["", "canary", "-----BEGIN PRIVATE KEY-----\nY2FuYXJ5\n-----END PRIVATE KEY-----\n", P384] {
        let error = TokenSource::new("TEAM123456", "KEY1234567", odd).expect_err("no key");
        assert_eq!(error, KeyError);
    }
}

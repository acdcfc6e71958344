use time::macros::datetime;

use super::*;

const DELAY: Option<Duration> = Some(Duration::from_secs(7));

/// A reason that every answer of the table must keep, so that it can be counted under its own name.
fn of(status: u16, reason: &str) -> Reading {
    let reading = read(status, DELAY, format!(r#"{{"reason":"{reason}"}}"#).as_bytes());
    assert!(reading.outcome == Outcome::Delivered || reading.outcome.reason() == Some(reason), "{status} {reason}");
    reading
}

#[test]
fn every_answer_of_apples_table_has_its_outcome() {
    let table: &[(&str, u16, &[&str])] = &[
        ("delivered", 200, &[""]),
        ("unregistered", 410, &["Unregistered", "ExpiredToken"]),
        ("unregistered", 400, &["BadDeviceToken"]),
        ("misconfigured", 400, &["DeviceTokenNotForTopic", "BadTopic", "MissingTopic", "TopicDisallowed"]),
        ("misconfigured", 403, &["BadCertificate", "BadCertificateEnvironment", "Forbidden", "InvalidProviderToken"]),
        ("misconfigured", 403, &["MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken"]),
        ("misconfigured", 403, &["BadEnvironmentKeyInToken", "ExpiredProviderToken"]),
        ("rejected", 400, &["BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "InvalidPushType"]),
        ("rejected", 400, &["DuplicateHeaders", "MissingDeviceToken", "PayloadEmpty"]),
        ("rejected", 404, &["BadPath"]),
        ("rejected", 405, &["MethodNotAllowed"]),
        ("rejected", 413, &["PayloadTooLarge"]),
        ("throttled", 429, &["TooManyRequests", "TooManyProviderTokenUpdates"]),
        ("unavailable", 500, &["InternalServerError"]),
        ("unavailable", 503, &["ServiceUnavailable", "Shutdown"]),
        ("unavailable", 400, &["IdleTimeout"]),
    ];
    for (name, status, reasons) in table {
        for reason in *reasons {
            let Reading { outcome, advice } = of(*status, reason);
            assert_eq!(outcome.name(), *name, "{status} {reason}");
            if let Outcome::Rejected { listed, .. } = outcome {
                assert!(listed, "{status} {reason}");
            }
            let expected = match *reason {
                "ExpiredProviderToken" => Advice::Refresh,
                "TooManyProviderTokenUpdates" => Advice::Hold,
                _ => Advice::Keep,
            };
            assert_eq!(advice, expected, "{status} {reason}");
        }
    }
}

#[test]
fn delays_are_kept_and_only_token_updates_throttle_the_whole_provider() {
    for (reason, whole) in [("TooManyRequests", false), ("TooManyProviderTokenUpdates", true)] {
        let throttled = Outcome::Throttled { reason: reason.into(), retry_after: DELAY, whole_provider: whole };
        assert_eq!(of(429, reason).outcome, throttled);
    }
    let unavailable = Outcome::Unavailable { reason: "Shutdown".into(), retry_after: DELAY };
    assert_eq!(of(503, "Shutdown").outcome, unavailable);
}

#[test]
fn a_dead_token_keeps_apples_time_of_the_verdict_if_it_is_one() {
    let dead_at = |timestamp: &str| {
        let body = format!(r#"{{"reason":"Unregistered","timestamp":{timestamp}}}"#);
        match read(410, None, body.as_bytes()).outcome {
            Outcome::Unregistered { dead_at, .. } => dead_at,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(dead_at("1454948015990"), Some(datetime!(2016-02-08 16:13:35.99 UTC)));
    for odd in ["null", "\"soon\"", "1e400", "9223372036854775807", "-9223372036854775808", "1.5", "[]"] {
        assert_eq!(dead_at(odd), None, "{odd}");
    }
}

#[test]
fn a_body_that_says_nothing_leaves_it_to_the_status() {
    let expected = [
        (200, "delivered"),
        (201, "delivered"),
        (301, "misconfigured"),
        (400, "rejected"),
        (401, "misconfigured"),
        (403, "misconfigured"),
        (404, "rejected"),
        (410, "unregistered"),
        (413, "rejected"),
        (429, "throttled"),
        (502, "unavailable"),
        (599, "unavailable"),
        (600, "misconfigured"),
    ];
    let huge = format!(r#"{{"reason":"{}"}}"#, "A".repeat(16 * 1024));
    for body in ["", "null", "[]", "<html>", r#"{"reason":7}"#, r#"{"reason":"a token 00fc13ad"}"#, "{", &huge] {
        for (status, name) in expected {
            let outcome = read(status, None, body.as_bytes()).outcome;
            assert_eq!(outcome.name(), name, "{status} {body}");
            assert!(outcome.reason().is_none_or(|reason| reason == format!("status {status}")));
        }
    }
}

#[test]
fn an_unlisted_reason_is_rejected_under_its_own_name() {
    for status in [400, 404, 405, 409, 418] {
        let rejected = Outcome::Rejected { reason: "NeverHeardOf".into(), listed: false };
        assert_eq!(of(status, "NeverHeardOf").outcome, rejected);
    }
}

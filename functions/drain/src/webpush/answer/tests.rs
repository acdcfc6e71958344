use super::*;

const DELAY: Option<Duration> = Some(Duration::from_secs(7));

#[test]
fn every_status_has_its_outcome() {
    for (statuses, name, once_accepted) in [
        (&[200, 201, 202, 204, 299][..], "delivered", "delivered"),
        (&[404, 410], "unregistered", "unregistered"),
        (&[413], "rejected", "rejected"),
        (&[429, 406], "throttled", "throttled"),
        (&[408, 500, 502, 503, 504, 599], "unavailable", "unavailable"),
        (&[400, 401, 403], "misconfigured", "rejected"),
        (&[300, 301, 302, 303, 304, 307, 308], "rejected", "rejected"),
        (&[402, 405, 409, 411, 415, 422, 431, 451, 499], "rejected", "rejected"),
        (&[101, 600, 999], "misconfigured", "misconfigured"),
    ] {
        for status in statuses {
            assert_eq!(read(*status, DELAY, b"", false).name(), name, "{status}");
            assert_eq!(read(*status, DELAY, b"", true).name(), once_accepted, "{status}");
        }
    }
}

#[test]
fn only_413_is_surely_the_notifications_own_fault() {
    for status in 300..500 {
        if let Outcome::Rejected { listed, .. } = read(status, None, b"", true) {
            assert_eq!(listed, status == 413, "{status}: a burst of it is a fault of ours");
        }
    }
}

#[test]
fn a_delay_is_kept_and_throttles_this_device_alone() {
    let throttled = Outcome::Throttled { reason: "status 429".into(), retry_after: DELAY, whole_provider: false };
    assert_eq!(read(429, DELAY, b"", true), throttled);
    let unavailable = Outcome::Unavailable { reason: "status 503".into(), retry_after: DELAY };
    assert_eq!(read(503, DELAY, b"", true), unavailable);
}

#[test]
fn apples_reason_is_kept_and_whatever_else_a_body_says_is_not() {
    let reason = |body: &str| read(403, None, body.as_bytes(), false).reason().map(str::to_owned);
    assert_eq!(reason(r#"{"reason":"BadJwtToken"}"#).as_deref(), Some("BadJwtToken"));
    let huge = format!(r#"{{"reason":"{}"}}"#, "A".repeat(16 * 1024));
    for body in
        ["", "null", "[]", "<html>", "{", r#"{"reason":7}"#, r#"{"reason":"https://x/CANARY"}"#, "CANARY", &huge]
    {
        assert_eq!(reason(body).as_deref(), Some("status 403"), "{body}");
    }
    for status in [404, 410] {
        let body = r#"{"code":410,"errno":106,"error":"Gone","message":"CANARY"}"#.as_bytes();
        let dead = Outcome::Unregistered { reason: format!("status {status}").into(), dead_at: None };
        assert_eq!(read(status, None, body, false), dead);
    }
}

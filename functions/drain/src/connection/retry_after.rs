//! Retry-After: integer seconds, or an HTTP-date of any of the three forms.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::RETRY_AFTER;
use pushwake::limits;
use time::OffsetDateTime;

/// The delay the provider asks for. Dates are read against the database's clock, `now`. What is invalid, negative,
/// zero or past is none, and our own backoff decides; what is longer than any life is as good as that.
pub fn retry_after(headers: &HeaderMap, now: OffsetDateTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let delay = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits for a number are still a long time.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        httpdate::parse_http_date(value).ok()?.duration_since(SystemTime::from(now)).ok()?
    };
    (!delay.is_zero()).then(|| delay.min(limits::LONGEST_LIFE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn read(value: &[u8]) -> Option<u64> {
        let now = time::macros::datetime!(1994-11-06 08:49:07 UTC);
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_bytes(value).expect("a header value"))]);
        retry_after(&headers, now).map(|delay| delay.as_secs())
    }

    #[test]
    fn seconds_and_all_three_forms_of_a_date_are_read() {
        for thirty in [
            "30",
            " 30 ",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(read(thirty.as_bytes()), Some(30), "{thirty}");
        }
    }

    #[test]
    fn invalid_negative_and_past_ones_are_none_and_none_panics() {
        for none in [
            "",
            " ",
            "-1",
            "+5",
            "0",
            "1.5",
            "1e3",
            "30 s",
            "soon",
            "Sun, 06 Nov 1994 08:49:07 GMT",
            "Sun, 06 Nov 1994 08:48:37 GMT",
            "Sun, 99 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 0000 08:49:37 GMT",
            "Sun Nov 31 08:49:37 1994",
            "Thu, 01 Jan 1970 00:00:00 GMT",
            "\u{e9}",
        ] {
            assert_eq!(read(none.as_bytes()), None, "{none}");
        }
        assert_eq!(read(&[0xff, 0xfe]), None);
        assert_eq!(retry_after(&HeaderMap::new(), OffsetDateTime::UNIX_EPOCH), None);
    }

    #[test]
    fn a_delay_is_never_longer_than_the_longest_life() {
        let longest = limits::LONGEST_LIFE.as_secs();
        for long in ["43201", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
            assert_eq!(read(long.as_bytes()), Some(longest), "{long}");
        }
    }
}

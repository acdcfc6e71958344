//! What a caller asks for, read from its headers and body.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use serde::de::IgnoredAny;

use super::refusal::Refusal;

/// The largest payload of a synchronous invocation (Lambda quotas, 6 MB).
const LARGEST: usize = 6 * 1024 * 1024;
/// The largest payload of an asynchronous invocation (Lambda quotas, 1 MB).
const LARGEST_EVENT: usize = 1024 * 1024;

/// `X-Amz-Invocation-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    RequestResponse,
    Event,
    DryRun,
}

/// One call of the API, checked.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) kind: Kind,
    pub(super) payload: Bytes,
    /// The X-Ray header: the caller's, or a new one.
    pub(super) trace: String,
    /// Whether the end of the log is asked for.
    pub(super) tail: bool,
}

impl Request {
    pub(super) fn read(headers: &HeaderMap, body: Result<Bytes, BytesRejection>) -> Result<Self, Refusal> {
        let header = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
        let kind = match header("x-amz-invocation-type").as_deref() {
            None | Some("RequestResponse") => Kind::RequestResponse,
            Some("Event") => Kind::Event,
            Some("DryRun") => Kind::DryRun,
            Some(odd) => return Err(Refusal::one_of(odd, "invocationType", "[Event, RequestResponse, DryRun]")),
        };
        let tail = match header("x-amz-log-type").as_deref() {
            None | Some("None") => false,
            Some("Tail") => true,
            Some(odd) => return Err(Refusal::one_of(odd, "logType", "[None, Tail]")),
        };
        let trace = header("x-amzn-trace-id").map_or_else(new_trace, std::borrow::Cow::into_owned);
        Ok(Self { kind, payload: payload(kind, body)?, trace, tail })
    }
}

fn payload(kind: Kind, body: Result<Bytes, BytesRejection>) -> Result<Bytes, Refusal> {
    let largest = if kind == Kind::Event { LARGEST_EVENT } else { LARGEST };
    let body = body.ok().filter(|body| body.len() <= largest).ok_or(Refusal::TooLarge(largest))?;
    if body.is_empty() {
        return Ok(Bytes::from_static(b"{}"));
    }
    // Where, but not what: serde_json quotes nothing of the payload.
    let text = str::from_utf8(&body).map_err(|error| Refusal::not_json(&error))?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| Refusal::not_json(&error))?;
    Ok(body)
}

/// A trace that is not sampled.
pub(super) fn new_trace() -> String {
    let id = uuid::Uuid::new_v4().simple().to_string();
    format!("Root=1-{}-{};Sampled=0", &id[..8], &id[8..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(headers: &[(&'static str, &'static str)], body: &[u8]) -> Result<Request, Refusal> {
        let headers = headers.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        Request::read(&headers, Ok(Bytes::copy_from_slice(body)))
    }

    #[test]
    fn a_call_without_a_payload_invokes_with_an_empty_object() {
        let request = read(&[], b"").unwrap();
        assert_eq!((request.kind, &request.payload[..], request.tail), (Kind::RequestResponse, &b"{}"[..], false));
    }

    #[test]
    fn an_event_may_be_a_megabyte_and_a_request_six() {
        let json = |bytes: usize| format!("\"{}\"", "a".repeat(bytes - 2)).into_bytes();
        let event = [("x-amz-invocation-type", "Event")];
        assert!(read(&event, &json(LARGEST_EVENT)).is_ok());
        assert_eq!(read(&event, &json(LARGEST_EVENT + 1)).unwrap_err(), Refusal::TooLarge(LARGEST_EVENT));
        assert!(read(&[], &json(LARGEST)).is_ok());
        assert_eq!(read(&[], &json(LARGEST + 1)).unwrap_err(), Refusal::TooLarge(LARGEST));
    }

    #[test]
    fn what_is_no_json_is_refused_without_being_quoted() {
        for odd in [&b"{"[..], b"secret", b"{\"secret\":\"\xff\"}", b"{} {}"] {
            let refusal = read(&[], odd).unwrap_err();
            assert!(matches!(&refusal, Refusal::NotJson(message) if !message.contains("secret")), "{refusal:?}");
        }
        // What JSON allows is the function's to judge.
        assert!(read(&[], br#"{"title":"\ud800"}"#).is_ok());
    }

    #[test]
    fn an_unknown_kind_is_refused() {
        assert!(read(&[("x-amz-invocation-type", "Later")], b"").is_err());
        assert!(read(&[("x-amz-log-type", "Head")], b"").is_err());
    }
}

//! What the big services refuse.

use http::Method;
use http::request::Parts;

use super::Asked;
use super::browser::Browser;

/// A status and a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) u16, pub(super) &'static str);

/// Bytes of a body that a service has to take, and none takes more.
const BODY: usize = 4096;

/// Checks everything but the token.
pub(super) fn check(parts: &Parts, asked: &Asked, body: usize, browser: Option<&Browser>) -> Result<(), Refusal> {
    let refuse = |wrong: bool, status: u16, reason: &'static str| {
        if wrong { Err(Refusal(status, reason)) } else { Ok(()) }
    };
    refuse(parts.method != Method::POST, 405, "MethodNotAllowed")?;
    refuse(browser.is_none(), 404, "UnknownSubscription")?;
    refuse(browser.is_some_and(|browser| !browser.subscribed), 410, "Unsubscribed")?;
    let ttl =
        asked.ttl.as_deref().is_some_and(|ttl| ttl.bytes().all(|b| b.is_ascii_digit()) && ttl.parse::<u32>().is_ok());
    refuse(!ttl, 400, "BadTtl")?;
    let urgency = asked.urgency.as_deref().unwrap_or("normal");
    refuse(!["very-low", "low", "normal", "high"].contains(&urgency), 400, "BadUrgency")?;
    refuse(!asked.topic.as_deref().is_none_or(is_topic), 400, "BadWebPushTopic")?;
    refuse(asked.encoding.as_deref() != Some("aes128gcm"), 400, "BadContentEncoding")?;
    refuse(body > BODY, 413, "PayloadTooLarge")?;
    // No service can see it; a browser would drop it, and nobody would know.
    refuse(asked.plaintext.is_none(), 400, "Undecryptable")
}

fn is_topic(topic: &str) -> bool {
    let alphabet = topic.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (1..=32).contains(&topic.len()) && alphabet
}

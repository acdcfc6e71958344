//! What goes out.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method, Request, Version};
use pushwake::app::WebPush;
use pushwake::app::webpush::Endpoint;
use pushwake::body::{BodyError, webpush};
use pushwake::contract::{Payload, Target};

use super::encrypt::Browser;
use super::token::Token;
use crate::outcome::{Outcome, Reason};
use crate::provider::Send;

const TTL: HeaderName = HeaderName::from_static("ttl");
const URGENCY: HeaderName = HeaderName::from_static("urgency");
const TOPIC: HeaderName = HeaderName::from_static("topic");

/// One notification as a push service wants it, not yet encrypted.
pub(super) struct Message {
    pub(super) endpoint: Endpoint,
    pub(super) browser: Browser,
    pub(super) plaintext: String,
    ttl: u64,
    urgency: &'static str,
    topic: Option<String>,
}

impl Message {
    /// Reads a stored notification. One that no longer parses can never be sent; one whose endpoint the app's hosts
    /// no longer name may be a fault of that setting.
    pub(super) fn read(send: &Send<'_>, app: &WebPush) -> Result<Self, Outcome> {
        let refuse = |reason: &'static str| Outcome::Rejected { reason: Reason::Borrowed(reason), listed: true };
        let stored = send.notification;
        let Ok(Target::WebPush { endpoint, p256dh, auth }) = Target::from_json(&stored.target) else {
            return Err(refuse("UnreadableTarget"));
        };
        let keys = URL_SAFE_NO_PAD.decode(p256dh).ok().zip(URL_SAFE_NO_PAD.decode(auth).ok());
        let browser = keys.and_then(|(p256dh, auth)| Browser::new(&p256dh, auth));
        let browser = browser.ok_or_else(|| refuse("UnreadableTarget"))?;
        let forbidden = |_| Outcome::Rejected { reason: "ForbiddenEndpoint".into(), listed: false };
        let endpoint = app.endpoint(&endpoint).map_err(forbidden)?;
        let payload = Payload::from_json(&stored.payload).map_err(|_| refuse("UnreadablePayload"))?;
        let built = webpush::build(&payload).map_err(|error| match error {
            BodyError::TooLarge { .. } => refuse("PayloadTooLarge"),
            _ => refuse("UnbuildablePayload"),
        })?;
        let left = Duration::try_from(stored.expires_at - send.clock.now()).unwrap_or_default();
        let (urgency, topic) = (built.urgency, built.topic);
        Ok(Self { endpoint, browser, plaintext: built.body, ttl: left.as_secs(), urgency, topic })
    }

    /// The request, without its body of `length` bytes.
    pub(super) fn request(&self, token: &Token, length: usize) -> Result<Request<()>, http::Error> {
        let mut request = Request::builder()
            .version(Version::HTTP_2)
            .method(Method::POST)
            .uri(self.endpoint.url())
            .header(AUTHORIZATION, token.authorization.clone())
            .header(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"))
            .header(CONTENT_LENGTH, length)
            .header(TTL, self.ttl)
            .header(URGENCY, HeaderValue::from_static(self.urgency));
        if let Some(topic) = &self.topic {
            request = request.header(TOPIC, topic);
        }
        request.body(())
    }
}

#[cfg(test)]
mod tests;

//! What goes out.

use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Version};
use pushwake::body::{BodyError, fcm};
use pushwake::contract::{Payload, Target};
use time::OffsetDateTime;

use super::token::Token;
use crate::outcome::Reason;
use crate::provider::Send;

/// One notification as FCM wants it.
pub(super) struct Message {
    token: String,
    expires_at: OffsetDateTime,
    built: fcm::Built,
}

impl Message {
    /// Reads a stored notification. One that no longer parses can never be sent.
    pub(super) fn read(send: &Send<'_>) -> Result<Self, Reason> {
        let stored = send.notification;
        let token = match Target::from_json(&stored.target) {
            Ok(Target::Fcm { token }) if !token.is_empty() => token,
            _ => return Err("UnreadableTarget".into()),
        };
        let payload = Payload::from_json(&stored.payload).map_err(|_| "UnreadablePayload")?;
        let built = fcm::build(&payload).map_err(|error| match error {
            BodyError::TooLarge { .. } => "PayloadTooLarge",
            _ => "UnbuildablePayload",
        })?;
        Ok(Self { token, expires_at: stored.expires_at, built })
    }

    /// The body: its `ttl` is what is left to live at `now`.
    pub(super) fn body(&self, now: OffsetDateTime) -> Bytes {
        let left = Duration::try_from(self.expires_at - now).unwrap_or_default();
        self.built.clone().body_for(&self.token, left).into()
    }

    /// The request, without its body.
    pub(super) fn request(url: &str, token: &Token) -> Result<Request<()>, http::Error> {
        Request::builder()
            .version(Version::HTTP_2)
            .method(Method::POST)
            .uri(url)
            .header(AUTHORIZATION, token.bearer.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(())
    }
}

#[cfg(test)]
mod tests;

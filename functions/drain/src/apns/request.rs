//! What goes out.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method, Request, Version};
use pushwake::body::{BodyError, apns};
use pushwake::contract::{Payload, Target};
use uuid::Uuid;

use super::token::Token;
use crate::outcome::Reason;
use crate::provider::Send;

/// The namespace of our `apns-id`s (UUID version 5).
const NAMESPACE: Uuid = Uuid::from_u128(0x7c1f_52a8_3d7e_4f0b_9a51_6b0c_2e94_d3f6);

const APNS_ID: HeaderName = HeaderName::from_static("apns-id");
const APNS_EXPIRATION: HeaderName = HeaderName::from_static("apns-expiration");
const APNS_PRIORITY: HeaderName = HeaderName::from_static("apns-priority");
const APNS_TOPIC: HeaderName = HeaderName::from_static("apns-topic");
const APNS_PUSH_TYPE: HeaderName = HeaderName::from_static("apns-push-type");
const APNS_COLLAPSE_ID: HeaderName = HeaderName::from_static("apns-collapse-id");

/// One notification as APNs wants it.
pub(super) struct Message {
    id: Uuid,
    token: String,
    topic: Arc<str>,
    expiration: i64,
    priority: u8,
    push_type: &'static str,
    collapse_id: Option<String>,
    body: Bytes,
}

impl Message {
    /// Reads a stored notification. One that no longer parses can never be sent.
    pub(super) fn read(send: &Send<'_>, topic: &Arc<str>) -> Result<Self, Reason> {
        let stored = send.notification;
        let token = match Target::from_json(&stored.target) {
            // It becomes a part of the path.
            Ok(Target::Apns { token }) if is_hex(&token) => token,
            _ => return Err("UnreadableTarget".into()),
        };
        let payload = Payload::from_json(&stored.payload).map_err(|_| "UnreadablePayload")?;
        let built = apns::build(&payload).map_err(|error| match error {
            BodyError::TooLarge { .. } => "PayloadTooLarge",
            _ => "UnbuildablePayload",
        })?;
        Ok(Self {
            id: apns_id(send),
            token,
            topic: topic.clone(),
            expiration: stored.expires_at.unix_timestamp(),
            priority: built.priority,
            push_type: built.push_type,
            collapse_id: built.collapse_id,
            body: Bytes::from(built.body),
        })
    }

    /// The `apns-id`, lower case: the same for every attempt, so that Apple and its support see one notification.
    pub(super) fn id(&self) -> String {
        self.id.hyphenated().to_string()
    }

    /// The body. Never compressed.
    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }

    /// The request, without its body.
    pub(super) fn request(&self, authority: &str, token: &Token) -> Result<Request<()>, http::Error> {
        let mut request = Request::builder()
            .version(Version::HTTP_2)
            .method(Method::POST)
            .uri(format!("https://{authority}/3/device/{}", self.token))
            .header(AUTHORIZATION, token.bearer.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header(APNS_ID, self.id())
            .header(APNS_EXPIRATION, self.expiration)
            .header(APNS_PRIORITY, u16::from(self.priority))
            .header(APNS_TOPIC, self.topic.as_ref())
            .header(APNS_PUSH_TYPE, HeaderValue::from_static(self.push_type));
        if let Some(collapse_id) = &self.collapse_id {
            request = request.header(APNS_COLLAPSE_ID, collapse_id);
        }
        request.body(())
    }
}

fn is_hex(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// From what names the notification for ever: a seq alone starts again in a restored database.
fn apns_id(send: &Send<'_>) -> Uuid {
    let (lease, stored) = (send.lease, send.notification);
    // Ids hold no NUL, so no two lists of them are joined to the same name.
    let seq = lease.head.to_string();
    let name = [lease.app.as_str(), lease.device.as_str(), stored.source.as_str(), stored.event.as_str(), &seq];
    Uuid::new_v5(&NAMESPACE, name.join("\0").as_bytes())
}

#[cfg(test)]
mod tests;

//! The fingerprint of a call's content: the same event with another one is a conflict.

use serde::Serialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::serde::rfc3339;

use super::{Call, Payload};

/// What is fingerprinted, in the order of its members. Two revisions that run side by side must agree about a call
/// that both understand, so what a call does not use is never written, and maps are in key order.
#[derive(Serialize)]
struct Content<'a> {
    payload: &'a Payload,
    #[serde(with = "rfc3339::option")]
    send_at: Option<OffsetDateTime>,
    #[serde(with = "rfc3339::option")]
    expires_at: Option<OffsetDateTime>,
}

impl Call {
    /// SHA-256 of the content. Not of the devices: a token may change between two attempts at one event.
    pub fn fingerprint(&self) -> Vec<u8> {
        let content = Content { payload: &self.payload, send_at: self.send_at, expires_at: self.expires_at };
        let json = serde_json::to_vec(&content).expect("times between 1970 and 9999, strings and maps serialise");
        Sha256::digest(json).to_vec()
    }
}

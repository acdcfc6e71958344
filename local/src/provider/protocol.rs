//! What one provider adds to the shared server.

use std::fmt;

use bytes::Bytes;
use http::HeaderMap;
use http::request::Parts;

use super::Reply;

/// A provider's own protocol.
pub trait Protocol: Send + Sync + 'static {
    /// What a request asks for.
    type Asked: Asking;

    /// The status of a delivery.
    const DELIVERED: u16 = 200;

    /// Answers a request that is no send, such as one for an access token.
    fn aside(&self, _parts: &Parts, _body: &Bytes) -> Option<Reply> {
        None
    }

    /// Reads what a request asks for. What can't be read is left empty, for [`check`](Self::check) to refuse.
    fn asked(&self, parts: &Parts, body: &Bytes) -> Self::Asked;

    /// Refuses what the provider refuses before it looks at anything else.
    fn check(&self, parts: &Parts, asked: &Self::Asked, body: &Bytes) -> Result<(), Reply>;

    /// Finds a device's sequence number.
    fn sequence(&self, asked: &Self::Asked, body: &Bytes) -> Option<u64>;

    /// The body of an answer; `reason` is a refusal's.
    fn body(&self, asked: &Self::Asked, status: u16, reason: Option<&str>) -> Bytes;

    /// What reaches the device of a request's body.
    fn readable(&self, _asked: &Self::Asked, body: &Bytes) -> Bytes {
        body.clone()
    }

    /// The headers of an answer to a send.
    fn headers(&self, _asked: &Self::Asked) -> HeaderMap {
        HeaderMap::new()
    }
}

/// What a request asks for.
pub trait Asking: Clone + fmt::Debug + Send + Sync + 'static {
    /// The device's token, or whatever else names it: scripts and the ledger go by it.
    fn device(&self) -> &str;

    /// The name by which a notification without a sequence number is known, if it carries one.
    fn known_by(&self) -> Option<&str>;
}

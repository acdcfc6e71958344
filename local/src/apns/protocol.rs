//! Apple's part of the server.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use super::check::{Refusal, check};
use super::token::Team;
use super::{Asked, Options, reply};
use crate::provider::{Protocol, Reply};

/// Apple's part of the server.
pub struct Apns {
    pub(super) options: Options,
    pub(super) key_pem: String,
    pub(super) team: Mutex<Team>,
}

impl Apns {
    fn check_token(&self, authorization: Option<&str>) -> Result<(), Refusal> {
        let authorization = authorization.ok_or(Refusal(403, "MissingProviderToken"))?;
        self.team.lock().unwrap_or_else(PoisonError::into_inner).check(authorization)
    }
}

impl Protocol for Apns {
    type Asked = Asked;

    fn asked(&self, parts: &Parts, _body: &Bytes) -> Asked {
        Asked::read(parts)
    }

    fn check(&self, parts: &Parts, asked: &Asked, body: &Bytes) -> Result<(), Reply> {
        let authorization = parts.headers.get("authorization").and_then(|value| value.to_str().ok());
        let checked =
            self.check_token(authorization).and_then(|()| check(parts, asked, body.len(), &self.options.topics));
        checked.map_err(|Refusal(status, reason)| Reply::status(status, reason))
    }

    fn sequence(&self, _asked: &Asked, body: &Bytes) -> Option<u64> {
        (self.options.sequence)(body)
    }

    fn body(&self, _asked: &Asked, _status: u16, reason: Option<&str>) -> Bytes {
        reason.map(reply::body).unwrap_or_default()
    }

    fn headers(&self, asked: &Asked) -> HeaderMap {
        let id = asked.apns_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
        let id = HeaderValue::try_from(id).ok().map(|id| (HeaderName::from_static("apns-id"), id));
        HeaderMap::from_iter(id)
    }
}

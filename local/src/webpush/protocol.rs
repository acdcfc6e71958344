//! The push service's part of the server.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::request::Parts;
use serde_json::json;

use super::browser::Browser;
use super::check::{Refusal, check};
use super::token::Tokens;
use super::{Asked, Options, asked};
use crate::provider::{Protocol, Reply};

/// The push service's part of the server.
pub struct WebPush {
    pub(super) options: Options,
    /// The key pair it gives out for an app, in base64url.
    pub(super) key: String,
    pub(super) public_key: String,
    pub(super) browsers: Mutex<HashMap<String, Browser>>,
    pub(super) tokens: Mutex<Tokens>,
}

impl WebPush {
    pub(super) fn browsers(&self) -> MutexGuard<'_, HashMap<String, Browser>> {
        self.browsers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn browser(&self, device: &str) -> Option<Browser> {
        self.browsers().get(device).cloned()
    }

    fn check_token(&self, parts: &Parts, browser: &Browser) -> Result<(), Refusal> {
        let authorization = parts.headers.get("authorization").and_then(|value| value.to_str().ok());
        let origin = format!("https://{}", parts.uri.authority().map(ToString::to_string).unwrap_or_default());
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.check(authorization, &origin, &browser.application_server_key)
    }
}

impl Protocol for WebPush {
    type Asked = Asked;

    const DELIVERED: u16 = 201;

    fn asked(&self, parts: &Parts, body: &Bytes) -> Asked {
        Asked::read(parts, body, self.browser(asked::device(parts)).as_ref())
    }

    fn check(&self, parts: &Parts, asked: &Asked, body: &Bytes) -> Result<(), Reply> {
        let browser = self.browser(&asked.device);
        let token = browser.as_ref().map_or(Ok(()), |browser| self.check_token(parts, browser));
        let checked = token.and_then(|()| check(parts, asked, body.len(), browser.as_ref()));
        checked.map_err(|Refusal(status, reason)| Reply::status(status, reason))
    }

    fn sequence(&self, asked: &Asked, _body: &Bytes) -> Option<u64> {
        (self.options.sequence)(asked.plaintext.as_ref()?)
    }

    fn readable(&self, asked: &Asked, _body: &Bytes) -> Bytes {
        asked.plaintext.clone().unwrap_or_default()
    }

    fn body(&self, _asked: &Asked, _status: u16, reason: Option<&str>) -> Bytes {
        reason.map(|reason| json!({"reason": reason}).to_string().into()).unwrap_or_default()
    }
}

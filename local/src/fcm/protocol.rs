//! Google's part of the server.

use bytes::Bytes;
use http::Method;
use http::request::Parts;
use serde_json::json;
use uuid::Uuid;

use super::check::check;
use super::mint::Mint;
use super::{Asked, Options, reply};
use crate::provider::{Protocol, Reply};

/// Where tokens are issued.
pub(super) const TOKEN_PATH: &str = "/token";

/// Google's part of the server.
pub struct Fcm {
    pub(super) options: Options,
    pub(super) mint: Mint,
}

impl Protocol for Fcm {
    type Asked = Asked;

    fn aside(&self, parts: &Parts, body: &Bytes) -> Option<Reply> {
        (parts.uri.path() == TOKEN_PATH).then(|| self.mint.answer(&parts.uri.to_string(), body))
    }

    fn asked(&self, _parts: &Parts, body: &Bytes) -> Asked {
        Asked::read(body)
    }

    fn check(&self, parts: &Parts, _asked: &Asked, body: &Bytes) -> Result<(), Reply> {
        let path = parts.uri.path();
        let Some(project) = path.strip_prefix("/v1/projects/").and_then(|rest| rest.strip_suffix("/messages:send"))
        else {
            return Err(Reply::nothing_there());
        };
        if parts.method != Method::POST {
            return Err(Reply::nothing_there());
        }
        let authorization = parts.headers.get("authorization").and_then(|value| value.to_str().ok());
        if !self.mint.accepts(authorization) {
            return Err(Reply::without_detail(401));
        }
        if project != self.options.project {
            return Err(Reply::without_detail(404));
        }
        check(body)
    }

    fn sequence(&self, _asked: &Asked, body: &Bytes) -> Option<u64> {
        (self.options.sequence)(body)
    }

    fn body(&self, _asked: &Asked, status: u16, reason: Option<&str>) -> Bytes {
        if let Some(reason) = reason {
            return reply::body(status, reason);
        }
        let id = format!("0:{}%31bd1c96", Uuid::new_v4().as_u128() % 10_u128.pow(16));
        json!({"name": format!("projects/{}/messages/{id}", self.options.project)}).to_string().into()
    }
}

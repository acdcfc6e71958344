//! Endpoints: addresses that strangers may have written.

use std::fmt;
use std::net::IpAddr;

use super::{WebPush, hosts};
use crate::limits::WEBPUSH_ENDPOINT;

/// Where the pushes of one subscription go. Its `Debug` shows the host alone: who knows the rest can push.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The host, in lower case.
    pub host: String,
    /// 443, but for the simulated push service.
    pub port: u16,
    /// The path with its query.
    pub path: String,
    /// It is the simulated push service's.
    pub simulated: bool,
}

/// Why nothing is sent to an endpoint, as the rest of a sentence that begins with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EndpointError(&'static str);

impl Endpoint {
    pub(super) fn read(url: &str, app: &WebPush) -> Result<Self, EndpointError> {
        let refuse = |reason| Err(EndpointError(reason));
        // No browser gives anything else, and readers of addresses disagree about it.
        if url.len() > WEBPUSH_ENDPOINT || !url.bytes().all(is_plain) {
            return refuse("must be the address a browser gave, unchanged");
        }
        let Some(rest) = url.strip_prefix("https://") else { return refuse("must be an https:// address") };
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let authority = authority.to_ascii_lowercase();
        if authority.contains('@') {
            return refuse("must not name a user");
        }
        let (host, port) = split_port(&authority);
        if app.base_url.as_ref().is_some_and(|url| url["https://".len()..] == authority) {
            let port = port.and_then(|port| port.parse().ok()).unwrap_or(443);
            return Ok(Self { host: host.to_owned(), port, path, simulated: true });
        }
        if host.starts_with('[') || host.parse::<IpAddr>().is_ok() {
            return refuse("must name its host, not an address");
        }
        if !hosts::is_name(host) {
            return refuse("must be the address a browser gave, unchanged");
        }
        if port.is_some_and(|port| port != "443") {
            return refuse("must be on port 443");
        }
        if !app.hosts.allow(host) {
            return refuse("is of no push service that the app's hosts name");
        }
        Ok(Self { host: host.to_owned(), port: 443, path, simulated: false })
    }

    /// The host, with its port if that is not 443: `:authority` of a request.
    pub fn authority(&self) -> String {
        if self.port == 443 { self.host.clone() } else { format!("{}:{}", self.host, self.port) }
    }

    /// Scheme, host and port: what VAPID calls the audience.
    pub fn origin(&self) -> String {
        format!("https://{}", self.authority())
    }

    /// The whole address, written in one way only.
    pub fn url(&self) -> String {
        format!("https://{}{}", self.authority(), self.path)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("host", &self.host).finish_non_exhaustive()
    }
}

/// The characters of a URI (RFC 3986) without a fragment, which is never sent.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=%".contains(&byte)
}

/// The colons of an address in brackets are not the port's.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

//! The settings of a Web Push app, and what they say about an endpoint.
//!
//! An endpoint is an address that a browser chose and a stranger may have written: it is taken only if it is https,
//! on port 443, of a host the app's list names. Enqueue asks when it takes a device, drain again before every send.

mod endpoint;
mod hosts;
mod subject;
#[cfg(test)]
mod tests;

pub use endpoint::{Endpoint, EndpointError};
pub use hosts::Hosts;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::read::Settings;
use crate::field::Fault;

/// The settings of a Web Push app: one VAPID key pair (RFC 8292).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebPush {
    /// Whom a push service writes to about our pushes: a `mailto:` or `https:` address that exists.
    pub subject: String,
    /// The key that browsers subscribe with (`applicationServerKey`), in base64url without padding.
    pub public_key: String,
    /// Where its private half is kept: `secretsmanager:…` or `file:…`. Never the key.
    pub key: String,
    /// The push services.
    pub hosts: Hosts,
    /// A simulated push service on this machine: endpoints of this origin are taken too.
    pub base_url: Option<String>,
}

const KNOWN: &[&str] = &["platform", "subject", "public_key", "key", "hosts", "base_url"];

impl WebPush {
    /// Reads the settings; every fault goes to `faults`.
    pub(in crate::app) fn read(settings: &Settings<'_>, faults: &mut Vec<Fault>) -> Option<Self> {
        faults.extend(settings.unknown(KNOWN));
        let mut keep = |read: Result<String, Fault>| read.map_err(|fault| faults.push(fault)).ok();
        let subject = keep(subject::read(settings));
        let public_key = keep(settings.required("public_key").and_then(|key| Ok(URL_SAFE_NO_PAD.encode(key.point()?))));
        let key = keep(settings.secret_reference("key"));
        let hosts = Hosts::read(settings).map_err(|fault| faults.push(fault)).ok();
        let base_url = settings.base_url("base_url").and_then(|url| on_loopback(settings, url));
        let base_url = base_url.map_err(|fault| faults.push(fault)).ok();
        Some(Self { subject: subject?, public_key: public_key?, key: key?, hosts: hosts?, base_url: base_url? })
    }

    /// Reads the endpoint of a subscription, if notifications may go there.
    pub fn endpoint(&self, url: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::read(url, self)
    }
}

/// Anything else would be a way around the list of hosts.
fn on_loopback(settings: &Settings<'_>, url: Option<String>) -> Result<Option<String>, Fault> {
    match url {
        Some(url) if !is_loopback(&url) => {
            let fault = "must be on this machine, such as https://localhost:8443; real push services stand in hosts";
            Err(settings.required("base_url")?.fault(fault))
        }
        url => Ok(url),
    }
}

fn is_loopback(base_url: &str) -> bool {
    let authority = base_url.trim_start_matches("https://");
    ["localhost", "127.0.0.1"].iter().any(|host| {
        let port = authority.strip_prefix(host).map(|rest| rest.strip_prefix(':').unwrap_or(rest));
        port.is_some_and(|port| port.is_empty() || port.parse::<u16>().is_ok())
    })
}

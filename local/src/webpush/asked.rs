//! What a push asks for.

use bytes::Bytes;
use http::HeaderName;
use http::request::Parts;
use serde::Deserialize;

use super::browser::Browser;
use crate::provider::Asking;

/// What a push asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The name the subscription was made under, from the path.
    pub device: String,
    /// `TTL`, seconds.
    pub ttl: Option<String>,
    /// `Urgency`.
    pub urgency: Option<String>,
    /// `Topic`.
    pub topic: Option<String>,
    /// `Content-Encoding`.
    pub encoding: Option<String>,
    /// What the browser reads.
    pub plaintext: Option<Bytes>,
    /// The event in it: a push carries no id of its own.
    pub event: Option<String>,
}

impl Asked {
    /// Reads a push. What can't be read is left empty.
    pub(super) fn read(parts: &Parts, body: &[u8], browser: Option<&Browser>) -> Self {
        let text = |name: &'static str| {
            let value = parts.headers.get(HeaderName::from_static(name))?;
            Some(value.to_str().unwrap_or("\u{fffd}").to_owned())
        };
        let plaintext = browser.and_then(|browser| browser.decrypt(body)).map(Bytes::from);
        Self {
            device: device(parts).to_owned(),
            ttl: text("ttl"),
            urgency: text("urgency"),
            topic: text("topic"),
            encoding: text("content-encoding"),
            event: plaintext.as_deref().and_then(event),
            plaintext,
        }
    }
}

/// The name a subscription was made under.
pub(super) fn device(parts: &Parts) -> &str {
    parts.uri.path().strip_prefix(super::server::PATH).unwrap_or_default()
}

fn event(plaintext: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        event: Option<String>,
    }
    serde_json::from_slice::<Named>(plaintext).ok()?.event
}

impl Asking for Asked {
    fn device(&self) -> &str {
        &self.device
    }

    fn known_by(&self) -> Option<&str> {
        self.event.as_deref()
    }
}

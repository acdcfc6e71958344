//! What a request to APNs asks for.

use http::HeaderName;
use http::request::Parts;

use crate::provider::Asking;

/// What a request asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The device token of the path.
    pub device: String,
    /// `apns-id`.
    pub apns_id: Option<String>,
    /// `apns-expiration`, epoch seconds.
    pub expiration: Option<String>,
    /// `apns-priority`.
    pub priority: Option<String>,
    /// `apns-topic`.
    pub topic: Option<String>,
    /// `apns-push-type`.
    pub push_type: Option<String>,
    /// `apns-collapse-id`.
    pub collapse_id: Option<String>,
}

impl Asked {
    /// Reads a request. What can't be read is left empty.
    pub(super) fn read(parts: &Parts) -> Self {
        let text = |name: &'static str| {
            let value = parts.headers.get(HeaderName::from_static(name))?;
            Some(value.to_str().unwrap_or("\u{fffd}").to_owned())
        };
        Self {
            device: parts.uri.path().strip_prefix("/3/device/").unwrap_or_default().to_owned(),
            apns_id: text("apns-id"),
            expiration: text("apns-expiration"),
            priority: text("apns-priority"),
            topic: text("apns-topic"),
            push_type: text("apns-push-type"),
            collapse_id: text("apns-collapse-id"),
        }
    }
}

impl Asking for Asked {
    fn device(&self) -> &str {
        &self.device
    }

    fn known_by(&self) -> Option<&str> {
        self.apns_id.as_deref()
    }
}

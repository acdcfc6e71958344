//! What a request to FCM asks for.

use serde_json::Value;

use crate::provider::Asking;

/// What a request asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The registration token.
    pub token: String,
    /// `ttl`, such as `300s`.
    pub ttl: Option<String>,
    /// `priority`.
    pub priority: Option<String>,
    /// `collapse_key`.
    pub collapse_key: Option<String>,
    /// What Pushwake says of itself in `data`: it names the event.
    pub pushwake: Option<String>,
}

impl Asked {
    /// Reads a body. What can't be read is left empty.
    pub(super) fn read(body: &[u8]) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let message = &body["message"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Self {
            token: text(&message["token"]).unwrap_or_default(),
            ttl: text(&message["android"]["ttl"]),
            priority: text(&message["android"]["priority"]),
            collapse_key: text(&message["android"]["collapse_key"]),
            pushwake: text(&message["data"]["pushwake"]),
        }
    }
}

impl Asking for Asked {
    fn device(&self) -> &str {
        &self.token
    }

    fn known_by(&self) -> Option<&str> {
        self.pushwake.as_deref()
    }
}

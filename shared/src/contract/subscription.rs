//! A browser's push subscription.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A browser's push subscription, as its `PushSubscription.toJSON()` gives it. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// Where to push: https, of a push service that the app's settings name.
    pub endpoint: String,
    /// What to encrypt with.
    pub keys: SubscriptionKeys,
}

/// The keys of a subscription, in base64url with or without padding.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionKeys {
    /// The browser's public key: an uncompressed point of P-256, 65 bytes.
    pub p256dh: String,
    /// The browser's authentication secret: 16 bytes.
    pub auth: String,
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Subscription(..)")
    }
}

impl fmt::Debug for SubscriptionKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscriptionKeys(..)")
    }
}

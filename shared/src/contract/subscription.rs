//! A browser's push subscription.

use std::fmt;

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::{limits::WEBPUSH_ENDPOINT, schema, schema::pattern};

/// A browser's push subscription, as its `PushSubscription.toJSON()` gives it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, transform = schema::rule::subscription)
)]
pub struct Subscription {
    /// Where to push: https, of a push service that the app's settings name.
    #[cfg_attr(feature = "schema", schemars(length(max = WEBPUSH_ENDPOINT), regex(pattern = pattern::ENDPOINT)))]
    pub endpoint: String,
    /// What to encrypt with.
    pub keys: SubscriptionKeys,
}

/// The keys of a subscription, in base64url with or without padding.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SubscriptionKeys {
    /// The browser's public key: an uncompressed point of P-256, 65 bytes.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = pattern::P256DH)))]
    pub p256dh: String,
    /// The browser's authentication secret: 16 bytes.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = pattern::AUTH)))]
    pub auth: String,
}

/// Shows nothing of it.
impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Subscription(..)")
    }
}

/// Shows nothing of them.
impl fmt::Debug for SubscriptionKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscriptionKeys(..)")
    }
}

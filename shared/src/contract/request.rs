//! The request, as a product Lambda writes it.

use std::fmt;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::serde::rfc3339;

use super::{AppId, DeviceId, EventId, Kind, Notification, Source, Subscription};
#[cfg(feature = "schema")]
use crate::{limits::DEVICES, limits::FCM_TOKEN, schema, schema::pattern};

/// The version of the contract: `v` of requests and responses.
pub const VERSION: u32 = 1;

/// One event for up to 500 devices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, transform = schema::rule::request)
)]
pub struct Request {
    /// The version of the contract.
    #[serde(default = "version")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version_or_null"))]
    pub v: u32,
    /// The service that calls: the scope of `event`, and what a quota counts.
    pub source: Source,
    /// The event: sent again within 24 h it is a duplicate. Of a dismissal, the event to dismiss.
    pub event: EventId,
    /// What is asked for.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Kind>"))]
    pub kind: Kind,
    /// What to say.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Notification>"))]
    pub notification: Notification,
    /// Not before; at most 12 h ahead.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("format" = "date-time")))]
    pub send_at: Option<OffsetDateTime>,
    /// Not after; at most 12 h from the time it is due. Without one, the stack's default life: 5 min if not configured.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("format" = "date-time")))]
    pub expires_at: Option<OffsetDateTime>,
    /// 1 to 500 devices.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = DEVICES)))]
    pub devices: Vec<Device>,
}

/// One device: of a phone its token, of a browser its subscription.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, transform = schema::rule::device)
)]
pub struct Device {
    /// As the product names it: notifications for one id of one app arrive in order.
    pub id: DeviceId,
    /// The configured app it belongs to.
    pub app: AppId,
    /// Its token, unless it is a browser: of APNs in hex, of FCM as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = FCM_TOKEN), regex(pattern = pattern::VISIBLE_ASCII)))]
    pub token: Option<String>,
    /// A browser's subscription.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription: Option<Subscription>,
    /// When the app last registered that token or subscription: newer than a provider's verdict, it overrules it.
    #[serde(default, with = "rfc3339::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("format" = "date-time")))]
    pub registered_at: Option<OffsetDateTime>,
}

impl Request {
    /// An alert of `source` about `event`; set what else it needs.
    pub fn new(source: impl Into<Source>, event: impl Into<EventId>, devices: Vec<Device>) -> Self {
        Self {
            v: VERSION,
            source: source.into(),
            event: event.into(),
            kind: Kind::Alert,
            notification: Notification::default(),
            send_at: None,
            expires_at: None,
            devices,
        }
    }
}

impl Device {
    /// A device with a token.
    pub fn with_token(id: impl Into<DeviceId>, app: impl Into<AppId>, token: impl Into<String>) -> Self {
        let (id, app) = (id.into(), app.into());
        Self { id, app, token: Some(token.into()), subscription: None, registered_at: None }
    }

    /// A browser.
    pub fn with_subscription(id: impl Into<DeviceId>, app: impl Into<AppId>, subscription: Subscription) -> Self {
        let (id, app) = (id.into(), app.into());
        Self { id, app, token: None, subscription: Some(subscription), registered_at: None }
    }
}

/// Shows no token.
impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("id", &self.id).field("app", &self.app).finish_non_exhaustive()
    }
}

fn version() -> u32 {
    VERSION
}

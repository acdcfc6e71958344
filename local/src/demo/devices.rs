//! The devices, as a product knows them: each with what its provider knows it by.

use std::time::Duration;

use pushwake::contract::{Device, Request};
use serde_json::json;
use time::OffsetDateTime;

use super::plan::Plan;
use super::provider::Provider;
use crate::stack::Stack;

/// Long enough for a million notifications on a slow machine: nothing of the demo expires.
const LIFE: Duration = Duration::from_hours(6);

/// All devices of a plan.
pub(super) struct Devices(Vec<Device>);

impl Devices {
    /// Registers them; browsers subscribe.
    pub(super) fn register(plan: &Plan, stack: &Stack) -> Self {
        let device = |device: usize| {
            let (id, token, provider) = (format!("device-{device}"), plan.token(device), plan.provider_of(device));
            match provider {
                Provider::Apns | Provider::Fcm => Device::with_token(id, provider.app(), token),
                Provider::WebPush => Device::with_subscription(id, provider.app(), stack.webpush.subscribe(&token)),
            }
        };
        Self((0..plan.devices).map(device).collect())
    }

    /// The request for some of them, with their `n`-th notification.
    pub(super) fn request(&self, n: usize, devices: &[usize]) -> Request {
        let named = devices.iter().map(|&device| self.0[device].clone());
        let mut request = Request::new("demo", format!("wave-{n}"), named.collect());
        request.notification.title = Some("Pushwake".to_owned());
        request.notification.body = Some(format!("This is number {n}."));
        // FCM takes strings alone.
        request.notification.data.insert("n".to_owned(), json!(n.to_string()));
        request.expires_at = Some(OffsetDateTime::now_utc() + LIFE);
        request
    }
}

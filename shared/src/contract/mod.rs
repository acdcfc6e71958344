//! The contract of enqueue.
//!
//! A product Lambda writes a [`Request`] and reads a [`Response`]. Between them one bad device never fails the others:
//! it answers `invalid` with the path of its field. A fault of what all devices share (`source`, `notification`, …)
//! makes each of them `invalid` with that path. Additions to either side are minor: ignore what you don't know.

mod fingerprint;
mod ids;
mod notification;
mod payload;
mod read;
mod request;
mod response;
mod subscription;

pub use ids::{AppId, DeviceId, EventId, Source};
pub use notification::{Kind, Notification, Priority, Raw};
pub use payload::{Payload, Target, Unreadable};
pub use read::{Call, DeviceReading, Reading, Registration, read};
pub use request::{Device, Request, VERSION};
pub use response::{DeviceResult, Response, Status, WakeStatus};
pub use subscription::{Subscription, SubscriptionKeys};

pub use crate::field::Fault;

//! The contract of enqueue.
//!
//! A product Lambda writes a [`Request`] and reads a [`Response`]. Between them one bad device never fails the others:
//! it answers `invalid` with the path of its field. A fault of what all devices share (`source`, `notification`, …)
//! makes each of them `invalid` with that path. Additions to either side are minor: ignore what you don't know.
//!
//! ```
//! use pushwake::contract::{Device, Notification, Request, Response, Status};
//!
//! let device = Device::with_token("ada-phone", "ios-prod", "00fc13adff785122b4ad28809a342098");
//! let mut request = Request::new("orders", "order-1742-shipped", vec![device]);
//! request.notification = Notification { title: Some("On its way".into()), ..Notification::default() };
//! let payload = serde_json::to_string(&request)?; // what to invoke the function with
//!
//! # assert!(payload.starts_with(r#"{"v":1,"source":"orders","event":"order-1742-shipped","kind":"alert""#));
//! # let payload = r#"{"v":1,"results":[{"device":"ada-phone","app":"ios-prod","status":"queued"}],"wake":"posted"}"#;
//! let response: Response = serde_json::from_str(payload)?; // what it answers
//! for (device, result) in request.devices.iter().zip(response.results) {
//!     match result.status {
//!         Status::Queued | Status::Duplicate => {}
//!         Status::RateLimited => println!("{} later", device.id.as_str()),
//!         status => println!("{}: {status:?} {:?} {:?}", device.id.as_str(), result.field, result.reason),
//!     }
//! }
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! An invocation that failed answers a [`CallError`] instead. `docs/contract.md` says what to do about each answer.

mod error;
#[cfg(feature = "reader")]
mod fingerprint;
mod ids;
mod notification;
#[cfg(feature = "reader")]
mod payload;
#[cfg(feature = "reader")]
mod read;
mod request;
mod response;
mod subscription;

pub use error::{CallError, INVALID_REQUEST, UNAVAILABLE};
pub use ids::{AppId, DeviceId, EventId, Source};
pub use notification::{Kind, Notification, Priority, Raw};
#[cfg(feature = "reader")]
pub use payload::{Payload, Target, Unreadable};
#[cfg(feature = "reader")]
pub use read::{Call, DeviceReading, Reading, Registration, read};
pub use request::{Device, Request, VERSION};
pub use response::{DeviceResult, Response, Status, WakeStatus};
pub use subscription::{Subscription, SubscriptionKeys};

#[cfg(feature = "reader")]
pub use crate::field::Fault;

//! The contract of enqueue.

mod ids;

pub use ids::{AppId, DeviceId, EventId, Source};

//! SQS, as far as this product uses it: the endpoint, and Lambda's event source mapping.
//!
//! [`Endpoint`] speaks the AWS JSON 1.0 protocol, so that the SDKs and the AWS CLI work against it unchanged. It has
//! standard queues with visibility, delays, receive counts, redrive and retention, and switches for what goes wrong.
//! One suite of checks holds it to what SQS documents, and another emulator beside it (`tests/tests/sqs`).

mod actions;
mod clock;
mod counts;
mod delivery;
mod digest;
mod duplicates;
mod endpoint;
mod mapping;
mod message;
mod protocol;
mod queue;
mod refusal;
mod sent;
mod server;
mod service;
mod settings;
#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use endpoint::Endpoint;
pub use mapping::{Activity, Answer, Event, Mapping, MappingSettings};
pub use message::{AttributeValue, Peeked};
pub use refusal::Refusal;
pub use sent::{Fate, Fault, Sent};
pub use service::{ACCOUNT, REGION, queue_url};
pub use settings::{Redrive, Settings};

//! The wake: the SQS message that starts a drain.
//!
//! A wake carries no work. Any body, duplicate, stale, malformed or reordered, means only "look at Postgres"; what it
//! says about itself ([`Wake`]) bounds how long a chain of wakes can get, and nothing else.

mod body;
mod post;

pub use body::{Wake, Why};
pub use post::{Posted, WakeError, WakeQueue};

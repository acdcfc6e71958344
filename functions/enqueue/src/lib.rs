//! The function product Lambdas invoke: validates, inserts, commits, then posts one wake.
//!
//! The contract is [`pushwake::contract`]. An answer means that every device was decided; an error means that the
//! call may be made again as it was: what it had queued by then answers `duplicate`. Errors carry a type,
//! [`INVALID_REQUEST`] for a request without readable devices, which will fail again, and [`UNAVAILABLE`] for a
//! database that did not take the call.

mod answer;
mod error;
mod handler;
mod log;
mod open;

pub use handler::Enqueue;
pub use pushwake::contract::{INVALID_REQUEST, UNAVAILABLE};

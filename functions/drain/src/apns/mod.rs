//! APNs: HTTP/2 with a signed token, one request per notification.
//!
//! `client` runs the walk of one send; `request` is what goes out, `answer` what Apple's answer means (one table),
//! `token` the provider token that all instances share without telling each other.

mod answer;
mod client;
mod request;
mod token;

pub use client::{Client, SetupError};
pub use token::{KeyError, Tokens};

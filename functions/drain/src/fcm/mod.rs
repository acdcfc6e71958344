//! FCM: HTTP v1 over HTTP/2 with an access token of a service account, one request per notification.
//!
//! `client` runs the walk of one send; `request` is what goes out, `answer` what Google's answer means (one table).
//! `account` signs the assertions for which `token` gets access tokens: one at a time for all who send.

mod account;
mod answer;
mod client;
mod mint;
mod request;
mod token;

pub use account::KeyError;
pub use client::{Client, SetupError};
pub use token::Tokens;

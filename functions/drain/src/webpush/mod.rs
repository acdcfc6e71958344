//! Web Push: one encrypted request per notification (RFC 8030, 8291), with a VAPID token per push service (RFC 8292).
//!
//! `client` runs the walk of one send; `request` is what goes out, `encrypt` how nobody on the way can read it,
//! `token` how we say who we are, `answer` what a push service's answer means (one table), and `services` the
//! connections. Which service a push goes to stands in its subscription, which a stranger may have written: see
//! [`pushwake::app::webpush`] for what is taken, and [`Reach`](crate::connection::Reach) for what is connected to.

mod answer;
mod client;
mod encrypt;
mod request;
mod services;
mod token;

pub use client::{Client, SetupError};
pub use token::KeyError;

//! The whole product on one machine.
//!
//! Everything listens on loopback and on free ports, and whatever was started ends with the process that started it:
//! see [`reaper`].

pub mod apns;
pub mod build;
pub mod caller;
pub mod demo;
pub mod doctor;
pub mod fcm;
pub mod forget;
pub mod interrupt;
pub mod invoke;
pub mod page;
mod patience;
pub mod postgres;
pub mod provider;
pub mod real;
pub mod reaper;
pub mod runtime_api;
pub mod send;
pub mod sqs;
pub mod stack;
pub mod status;
pub mod terminal;
pub mod up;
pub mod webpush;

//! What an operator may ask of the queue, on AWS by invoking schedule, and what it answers.
//!
//! An [`Action`] is an event of schedule with an `action`: where one event or one device stands, or to forget a device.
//! Answers carry [`VERSION`] and times in RFC 3339, and never content: no title, body, data, payload or token.
//! Additions are minor: ignore what you don't know.

mod action;
mod answer;
#[cfg(test)]
mod tests;

pub use action::Action;
pub use answer::{
    DeadVerdict, DeviceStory, EventStory, Forgotten, Lane, Pause, Removed, Standing, State, Waiting, WhereInLane,
};

/// The version of the actions this revision reads, and of its answers.
pub const VERSION: u32 = 1;

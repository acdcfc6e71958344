//! What the page looks like.

mod drains;
mod frame;
mod letters;
mod outcomes;
mod overview;
mod pauses;
mod story;
mod text;

pub(super) use frame::said;
pub(super) use overview::overview;
pub(super) use story::{device, event};

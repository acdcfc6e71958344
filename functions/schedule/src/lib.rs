//! The function of every minute: prunes, tops the wakes up from the database, posts what feedback is left.
//!
//! It is the one repair path for every lost wake, so it never looks at the depth of the wake queue: a queue full of
//! wakes that nobody will receive looks just like one that is being drained. What the *database* shows as due gets
//! wakes, at most one per drain, and what falls due before the next run gets a delayed one. A run that is doubled, late
//! or long does no harm: one prune runs at a time, and a wake too many finds nothing.
//!
//! It measures the state of the queue for the metrics, also where it can't mend it.
//!
//! Feedback that a drain could not post waits in the database, too, and is posted here (see [`pushwake::feedback`]).
//!
//! An event with an `action` is an operator's (see [`pushwake::operator`]) and runs nothing else: it shows where an
//! event or a device stands, or forgets a device. One that can't be read is an error, and never runs as the minute.

mod handler;
mod measure;
mod operator;
mod top_up;

pub use handler::{Answer, Schedule, Scheduled};
pub use operator::Acted;
pub use top_up::{TopUpError, ToppedUp, top_up};

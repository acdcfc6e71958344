//! The queue in Postgres.

mod backlog;
mod claim;
mod connection;
mod enqueue;
mod finish;
pub mod lock_keys;
mod pauses;
mod prune;
mod renew;

pub use backlog::Backlog;
pub use claim::{Claim, Claimed, Found, Head, Lease, Notification, Want};
pub use connection::{Queue, QueueError};
pub use enqueue::{Answer, Batch, BatchDevice, Enqueued, Kind, WakeAt};
pub use finish::{Finish, Finished, Step};
pub use pauses::{DeadToken, Probe};
pub use prune::Pruned;
pub use renew::Renewal;

//! The queue in Postgres.

mod backlog;
mod batch;
mod claim;
mod connection;
mod dismiss;
mod enqueue;
mod finish;
mod head;
pub mod lock_keys;
mod pauses;
mod prune;
mod renew;
mod share;
pub mod statements;

pub use backlog::Backlog;
pub use batch::{Answer, Batch, BatchDevice, Enqueued, WakeAt};
pub use claim::{Claim, Claimed, Want};
pub use connection::{Queue, QueueError};
pub use finish::{Finish, Finished, Step};
pub use head::{Found, Head, Lease, Notification};
pub use pauses::{DeadToken, Probe};
pub use prune::Pruned;
pub use renew::Renewal;

pub use crate::contract::Kind;

//! Prune: delete what is expired or past its retention.

use std::time::Duration;

use super::connection::{Queue, QueueError};

/// What a prune did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Another prune was running, and nothing was done.
    pub busy: bool,
    /// Expired notifications deleted.
    pub expired: u64,
    /// Receipts, dismissals, quotas and dead tokens deleted.
    pub retired: u64,
    /// The time budget ended before the work did.
    pub saturated: bool,
}

impl Queue {
    /// Prunes until nothing is left or `budget` is spent; one at a time across all callers.
    pub async fn prune(&self, budget: Duration) -> Result<Pruned, QueueError> {
        let _ = budget;
        todo!()
    }
}

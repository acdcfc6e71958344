//! Renew: prolong the leases of one drain.

use super::Lease;
use super::connection::{Queue, QueueError};

/// What a renewal found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// The lease runs for a whole lease again.
    Renewed,
    /// The lane is locked: renew again soon.
    Skipped,
    /// The lease ran out or the lane is another drain's.
    Lost,
}

impl Queue {
    /// Renews leases in one statement; answers in the order of `leases`.
    pub async fn renew(&self, leases: &[Lease]) -> Result<Vec<Renewal>, QueueError> {
        let _ = leases;
        todo!()
    }
}

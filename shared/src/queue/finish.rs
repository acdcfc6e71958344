//! Finish: complete, retry or discard a batch of heads.

use std::time::Duration;

use super::Lease;
use super::connection::{Queue, QueueError};

/// What becomes of one leased head.
#[derive(Clone, Debug)]
pub struct Finish {
    /// What the claim returned.
    pub lease: Lease,
    /// What to do with the head.
    pub step: Step,
    /// The delay the provider asked for: nothing is sent to this device before it, whatever becomes of the head.
    pub rest: Option<Duration>,
}

/// What to do with a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Delivered: delete it.
    Complete,
    /// Given up (rejected, unregistered, dismissed, unanswered too often, poison): delete it.
    Discard,
    /// Expired: delete it, and what else of the lane is expired.
    Expire,
    /// Try again.
    Retry {
        /// From the database's clock at the finish.
        after: Duration,
        /// The provider answered, so the attempt is taken back from `unanswered`.
        answered: bool,
    },
    /// Not tried after all: no attempt is spent.
    Release {
        /// From the database's clock at the finish.
        after: Duration,
    },
}

/// What a finish found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finished {
    /// Done.
    Done {
        /// The lane has another head that is due now.
        released: bool,
        /// Further expired rows of the lane that were deleted with it.
        also_expired: u32,
        /// A retry found its notification dismissed and deleted it instead.
        dismissed: bool,
    },
    /// The lane is locked: finish again later.
    Skipped,
    /// The lane is no longer ours: nothing was changed.
    Lost,
}

impl Queue {
    /// Finishes a batch in one transaction; answers in the order of `batch`.
    pub async fn finish(&self, batch: &[Finish]) -> Result<Vec<Finished>, QueueError> {
        let _ = batch;
        todo!()
    }

    /// Finishes one lane alone, waiting up to [`LANE_LOCK_TIMEOUT`](crate::limits::LANE_LOCK_TIMEOUT) for its lock.
    /// Still answers [`Finished::Skipped`] when that was not enough.
    pub async fn finish_waiting(&self, one: &Finish) -> Result<Finished, QueueError> {
        let _ = one;
        todo!()
    }
}

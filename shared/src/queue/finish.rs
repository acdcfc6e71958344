//! Finish: complete, retry or discard a batch of heads.

use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use uuid::Uuid;

use super::begin::{BEGIN, BEGIN_LANE};
use super::connection::{Queue, within};
use super::error::QueueError;
use super::{Lease, statements};
use crate::limits::{PRUNE_BATCH, STATEMENT_DEADLINE};

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
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        within("a finish", STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN).await?;
            let finished = self.finish_in(transaction.connection(), batch).await?;
            self.commit(transaction).await?;
            Ok(finished)
        })
        .await
    }

    /// Finishes one lane alone, waiting up to [`LANE_LOCK_TIMEOUT`](crate::limits::LANE_LOCK_TIMEOUT) for its lock.
    /// Still answers [`Finished::Skipped`] when that was not enough.
    pub async fn finish_waiting(&self, one: &Finish) -> Result<Finished, QueueError> {
        let waited = within("a finish", STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_LANE).await?;
            self.wait_for_lane(transaction.connection(), &one.lease).await?;
            let finished = self.finish_in(transaction.connection(), std::slice::from_ref(one)).await?;
            self.commit(transaction).await?;
            Ok(finished[0])
        })
        .await;
        match waited {
            Err(error) if error.is_lock_timeout() => Ok(Finished::Skipped),
            waited => waited,
        }
    }

    /// Waits for a lane that is still leased as `lease` says; locks nothing otherwise.
    pub(super) async fn wait_for_lane(&self, connection: &mut PgConnection, lease: &Lease) -> sqlx::Result<()> {
        self.sql(statements::LANE_WAIT)
            .bind(lease.app.as_str())
            .bind(lease.device.as_str())
            .bind(lease.head)
            .bind(lease.token)
            .execute(connection)
            .await?;
        Ok(())
    }

    async fn finish_in(&self, connection: &mut PgConnection, batch: &[Finish]) -> sqlx::Result<Vec<Finished>> {
        let locked = self.lock_and_delete(&mut *connection, batch).await?;
        let mut finished = vec![Finished::Lost; batch.len()];
        let ours: Vec<&Finish> = locked.iter().map(|(place, _)| &batch[*place]).collect();
        let moved = self.move_lanes(&mut *connection, &ours).await?;
        for ((place, also_expired), (released, dismissed)) in locked.iter().zip(moved) {
            finished[*place] = Finished::Done { released, also_expired: *also_expired, dismissed };
        }
        if locked.len() < batch.len() {
            for place in self.still_ours(connection, batch).await? {
                if finished[place] == Finished::Lost {
                    finished[place] = Finished::Skipped;
                }
            }
        }
        Ok(finished)
    }

    /// The places of `batch` that were ours and free, with the further expired rows of each.
    async fn lock_and_delete(
        &self,
        connection: &mut PgConnection,
        batch: &[Finish],
    ) -> sqlx::Result<Vec<(usize, u32)>> {
        let keys = Keys::of(batch.iter());
        let over = |finish: &Finish| !matches!(finish.step, Step::Retry { .. } | Step::Release { .. });
        self.sql(statements::FINISH_HEADS)
            .bind(keys.apps)
            .bind(keys.devices)
            .bind(keys.heads)
            .bind(keys.tokens)
            .bind(batch.iter().map(over).collect::<Vec<_>>())
            .bind(batch.iter().map(|finish| finish.step == Step::Expire).collect::<Vec<_>>())
            .bind(PRUNE_BATCH)
            .fetch_all(connection)
            .await?
            .iter()
            .map(|row| Ok((place(row)?, row.try_get::<i64, _>("also_expired")? as u32)))
            .collect()
    }

    /// Moves the locked lanes on; answers whether each released a head and whether its retry was dismissed.
    async fn move_lanes(&self, connection: &mut PgConnection, ours: &[&Finish]) -> sqlx::Result<Vec<(bool, bool)>> {
        if ours.is_empty() {
            return Ok(Vec::new());
        }
        let keys = Keys::of(ours.iter().copied());
        let after = |finish: &&Finish| match finish.step {
            Step::Retry { after, .. } | Step::Release { after } => Some(after.as_secs_f64()),
            Step::Complete | Step::Discard | Step::Expire => None,
        };
        let rows = self
            .sql(statements::FINISH_LANES)
            .bind(keys.apps)
            .bind(keys.devices)
            .bind(keys.heads)
            .bind(ours.iter().map(after).collect::<Vec<_>>())
            .bind(ours.iter().map(|f| matches!(f.step, Step::Retry { answered: true, .. })).collect::<Vec<_>>())
            .bind(ours.iter().map(|f| matches!(f.step, Step::Release { .. })).collect::<Vec<_>>())
            .bind(ours.iter().map(|f| f.rest.map(|rest| rest.as_secs_f64())).collect::<Vec<_>>())
            .fetch_all(connection)
            .await?;
        let mut moved = vec![(false, false); ours.len()];
        for row in &rows {
            moved[place(row)?] = (row.try_get("released")?, row.try_get("dismissed")?);
        }
        Ok(moved)
    }

    async fn still_ours(&self, connection: &mut PgConnection, batch: &[Finish]) -> sqlx::Result<Vec<usize>> {
        let keys = Keys::of(batch.iter());
        self.sql(statements::FINISH_LOOK)
            .bind(keys.apps)
            .bind(keys.devices)
            .bind(keys.heads)
            .bind(keys.tokens)
            .fetch_all(connection)
            .await?
            .iter()
            .map(place)
            .collect()
    }
}

/// The leases of a batch as the columns that the statements unnest.
struct Keys {
    apps: Vec<String>,
    devices: Vec<String>,
    heads: Vec<i64>,
    tokens: Vec<Uuid>,
}

impl Keys {
    fn of<'a>(batch: impl Iterator<Item = &'a Finish>) -> Self {
        let mut keys = Self { apps: Vec::new(), devices: Vec::new(), heads: Vec::new(), tokens: Vec::new() };
        for Finish { lease, .. } in batch {
            keys.apps.push(lease.app.as_str().to_owned());
            keys.devices.push(lease.device.as_str().to_owned());
            keys.heads.push(lease.head);
            keys.tokens.push(lease.token);
        }
        keys
    }
}

fn place(row: &PgRow) -> sqlx::Result<usize> {
    Ok(row.try_get::<i64, _>("place")? as usize - 1)
}

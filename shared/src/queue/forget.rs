//! Forget: remove every trace of one device from one app.
//!
//! A pass is one transaction. It locks the lane by enqueue's own upsert, since a `for update` can't see a lane whose
//! insert is not committed yet, and then, in new statements, deletes what it finds: notifications and receipts,
//! dismissals, dead tokens, at last the lane itself. Passes follow one another, each of bounded statements, until a
//! pass finds nothing left or the budget is spent.
//!
//! * **A head in flight** is its drain's: it stays as a whole, with its receipt and its dismissal, so that nothing can
//!   queue it a second time meanwhile, and everything behind it goes. The forget waits for its finish, which removes
//!   the lane or, when the head is to be retried, gives it to the next pass. A drain that died leaves the forget
//!   waiting for a lease; if that outlives the budget, the answer says until when.
//! * **An enqueue** that has locked the lane is waited for, and what it queued is forgotten. One that waits behind the
//!   forget comes after it: it inserts a new lane, and its device is known again. So is an event that is sent again.
//! * **A dismissal** writes its rows before it waits for the lane, so the forget never waits for them while it holds
//!   the lane: it passes over what is locked, and meets it in its next pass.
//! * **A claim, a finish and a prune** skip a locked lane and come again.
//! * **A verdict** against a token is recorded after its finish has committed, when the lane may be gone. It locks the
//!   receipt (of a silent push, the dismissal) of the event that met it, and is dropped where there is none: either the
//!   receipt is locked, and the next pass finds the verdict, or the verdict comes too late.
//!
//! What has left the database can't be forgotten there: a log line, a message of the feedback queue. A verdict that was
//! not posted to that queue yet is not posted any more.

use std::time::Duration;

use sqlx::Row;
use time::OffsetDateTime;
use tokio::time::{Instant, sleep};

use super::begin::BEGIN;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::contract::{AppId, DeviceId, Target};
use crate::limits::{PRUNE_BATCH, SKIPPED_RETRY, STATEMENT_DEADLINE};
use crate::operator::{Forgotten, Removed, VERSION};

/// What one pass did and left.
struct Pass {
    removed: Removed,
    in_flight: Option<OffsetDateTime>,
    /// More than a statement takes: to be gone on with at once.
    more: bool,
    /// Locked by somebody else, or more.
    left: bool,
}

impl Queue {
    /// Removes every trace of a device, and waits up to `budget` for what is in flight and for what others have locked.
    pub async fn forget(&self, app: &AppId, device: &DeviceId, budget: Duration) -> Result<Forgotten, QueueError> {
        let ends = Instant::now() + budget;
        let mut forgotten = Forgotten {
            v: VERSION,
            app: app.clone(),
            device: device.clone(),
            removed: Removed::default(),
            complete: false,
            in_flight: None,
        };
        loop {
            let again = match self.forget_once(app, device).await {
                Ok(pass) => {
                    forgotten.add(pass.removed);
                    forgotten.in_flight = pass.in_flight;
                    forgotten.complete = pass.in_flight.is_none() && !pass.left;
                    if pass.more { Duration::ZERO } else { SKIPPED_RETRY }
                }
                // an enqueue has the lane for longer than a lock is waited for
                Err(error) if error.is_lock_timeout() => SKIPPED_RETRY,
                Err(error) => return Err(error),
            };
            if forgotten.complete || Instant::now() + again >= ends {
                return Ok(forgotten);
            }
            sleep(again).await;
        }
    }

    async fn forget_once(&self, app: &AppId, device: &DeviceId) -> Result<Pass, QueueError> {
        let (app, device) = (app.as_str(), device.as_str());
        within("a forget", STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN).await?;
            let lock = self.sql(statements::ENQUEUE_LANES).bind(vec![app]).bind(vec![device]);
            lock.execute(transaction.connection()).await?;
            let taking = self.sql(statements::FORGET_ROWS).bind(app).bind(device).bind(PRUNE_BATCH);
            let gone = taking.fetch_one(transaction.connection()).await?;
            let targets: Vec<String> = gone.try_get("targets")?;
            // one that can't be read was never sent to, so no provider has judged it
            let hashes: Vec<_> =
                targets.iter().flat_map(|target| Target::from_json(target)).map(|t| t.hash()).collect();
            let dead = self.sql(statements::FORGET_DEAD_TOKENS).bind(app).bind(device).bind(hashes);
            let dead_tokens = dead.execute(transaction.connection()).await?.rows_affected();
            let remaining = self.sql(statements::FORGET_LOOK).bind(app).bind(device);
            let left: bool = remaining.fetch_one(transaction.connection()).await?.try_get("left_over")?;
            self.commit(transaction).await?;
            let count = |column| gone.try_get::<i64, _>(column).map(|n| n as u64);
            let removed = Removed {
                notifications: count("notifications")?,
                receipts: count("receipts")?,
                dismissals: count("dismissals")?,
                dead_tokens,
            };
            let more = gone.try_get("more")?;
            let full = removed.receipts >= PRUNE_BATCH as u64 || removed.dismissals >= PRUNE_BATCH as u64;
            Ok(Pass { removed, in_flight: gone.try_get("in_flight")?, more: more || full, left: left || more })
        })
        .await
    }
}

impl Forgotten {
    fn add(&mut self, removed: Removed) {
        let Removed { notifications, receipts, dismissals, dead_tokens } = &mut self.removed;
        *notifications += removed.notifications;
        *receipts += removed.receipts;
        *dismissals += removed.dismissals;
        *dead_tokens += removed.dead_tokens;
    }
}

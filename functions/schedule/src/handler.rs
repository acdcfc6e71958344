//! One run.

use std::time::{Duration, SystemTime};

use lambda_runtime::Error;
use pushwake::function::config::{self, Name};
use pushwake::function::secret::Secrets;
use pushwake::function::{Event, database};
use pushwake::limits;
use pushwake::queue::{Pruned, Queue, QueueError};
use pushwake::wake::WakeQueue;
use serde::Serialize;

use crate::top_up::{ToppedUp, top_up};

/// Kept behind the prune for its last statement, the backlog and the wakes.
const TOP_UP: Duration =
    Duration::from_secs(2 * limits::STATEMENT_DEADLINE.as_secs() + limits::WAKE_POST.as_secs() + 1);

/// The function.
#[derive(Clone)]
pub struct Schedule {
    queue: Queue,
    wakes: WakeQueue,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Scheduled {
    /// Expired notifications deleted.
    pub expired: u64,
    /// Receipts, dismissals, quotas and dead tokens deleted.
    pub retired: u64,
    /// Another run was pruning.
    pub busy: bool,
    /// There was more to prune than time.
    pub saturated: bool,
    /// What became of the wakes.
    #[serde(flatten)]
    pub wakes: ToppedUp,
}

impl Schedule {
    /// Reads the configuration through `lookup` and builds the clients.
    pub async fn start(lookup: impl Fn(Name) -> Option<String>) -> Result<Self, Error> {
        let config = config::Schedule::read(lookup)?;
        let options = database::connect_options(&config.database, &Secrets::default()).await?;
        let queue = Queue::new(database::pool(options, limits::SCHEDULE_CONNECTIONS), !config.database.pooler);
        Ok(Self::new(queue, WakeQueue::new(config.wake_queue_url).await))
    }

    /// The function over clients of the caller's.
    pub fn new(queue: Queue, wakes: WakeQueue) -> Self {
        Self { queue, wakes }
    }

    /// Handles one invocation, whatever its event says.
    pub async fn handle(&self, event: Event) -> Result<Scheduled, Error> {
        let left = event.context.deadline().duration_since(SystemTime::now()).unwrap_or_default();
        self.run(left.saturating_sub(TOP_UP).min(limits::PRUNE_BUDGET)).await
    }

    /// Prunes for at most `budget`, then tops up. A prune that Postgres refuses or is too slow for does not cost the
    /// top-up, which is what everybody waits for.
    pub async fn run(&self, budget: Duration) -> Result<Scheduled, Error> {
        let pruned = self.queue.prune(budget).await;
        if let Err(error @ QueueError::Away { .. }) = pruned {
            return Err(error.into());
        }
        let wakes = top_up(&self.queue, &self.wakes).await;
        let (pruned, wakes) = match (pruned, wakes) {
            (Ok(pruned), Ok(wakes)) => (pruned, wakes),
            (Err(error), Err(also)) => {
                tracing::error!(error = %also, "the top-up failed");
                return Err(error.into());
            }
            (Err(error), Ok(_)) => return Err(error.into()),
            (Ok(_), Err(error)) => return Err(error.into()),
        };
        let scheduled = Scheduled::new(pruned, wakes);
        scheduled.log();
        Ok(scheduled)
    }
}

impl Scheduled {
    fn new(pruned: Pruned, wakes: ToppedUp) -> Self {
        let Pruned { busy, expired, retired, saturated } = pruned;
        Self { expired, retired, busy, saturated, wakes }
    }

    fn log(&self) {
        let Self { expired, retired, busy, saturated, wakes } = self;
        let ToppedUp { due, oldest_seconds, wake_posted, delayed } = wakes;
        tracing::info!(expired, retired, busy, saturated, due, oldest_seconds, wake_posted, delayed, "scheduled");
    }
}

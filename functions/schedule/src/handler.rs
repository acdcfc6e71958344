//! One run.

use std::sync::Arc;
use std::time::Duration;

use lambda_runtime::Error;
use pushwake::feedback::{FeedbackQueue, Posted};
use pushwake::function::config;
use pushwake::function::deadline::time_left;
use pushwake::function::metric::Metrics;
use pushwake::function::{Event, database};
use pushwake::limits;
use pushwake::queue::{Pruned, Queue, QueueError};
use pushwake::wake::WakeQueue;
use serde::Serialize;
use tokio::time::Instant;

use crate::measure::{Done, measure};
use crate::operator::{self, Acted};
use crate::top_up::{ToppedUp, top_up};

/// Kept at the very end for the answer.
const ANSWERING: Duration = Duration::from_secs(1);
/// Kept behind the prune for its last statement, the backlog and the wakes, the metrics, and a round of feedback.
const BEHIND_PRUNE: Duration = Duration::from_secs(
    2 * limits::STATEMENT_DEADLINE.as_secs()
        + limits::WAKE_POST.as_secs()
        + limits::MEASURES.as_secs()
        + limits::FEEDBACK_ROUND.as_secs(),
);

const _: () = assert!(
    limits::PRUNE_BUDGET.as_secs() + BEHIND_PRUNE.as_secs() + ANSWERING.as_secs() <= limits::FUNCTION_TIMEOUT.as_secs(),
    "a prune that takes its whole budget costs nothing behind it"
);

/// The function.
#[derive(Clone)]
pub struct Schedule {
    queue: Queue,
    wakes: WakeQueue,
    feedback: Option<FeedbackQueue>,
    metrics: Metrics,
}

/// What an invocation answers.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// Of the minute.
    Scheduled(Scheduled),
    /// Of an operator's action.
    Acted(Acted),
}

/// What a run did.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Scheduled {
    /// Expired notifications deleted.
    pub expired: u64,
    /// Receipts, dismissals, quotas, dead tokens and past pauses deleted.
    pub retired: u64,
    /// Another run was pruning.
    pub busy: bool,
    /// There was more to prune than time.
    pub saturated: bool,
    /// Messages posted to the feedback queue.
    pub feedback_posted: usize,
    /// What became of the wakes.
    #[serde(flatten)]
    pub wakes: ToppedUp,
}

impl Schedule {
    /// Builds the clients.
    pub async fn open(config: config::Schedule) -> Result<Self, Error> {
        let [queue] = database::queues(&config.database, &Arc::default(), limits::SCHEDULE_CONNECTIONS).await?;
        let wakes = WakeQueue::new(config.wake_queue_url).await;
        let feedback = config.feedback_queue_url.map(|url| FeedbackQueue::beside(&wakes, url));
        Ok(Self { queue, wakes, feedback, metrics: Metrics::new(config.metrics_namespace) })
    }

    /// Handles one invocation: an operator's action, or the minute's, whatever its event says.
    pub async fn handle(&self, event: Event) -> Result<Answer, Error> {
        let left = time_left(&event.context).saturating_sub(ANSWERING);
        match operator::read(event.payload.get())? {
            Some(action) => Ok(Answer::Acted(operator::act(&self.queue, &action, left).await?)),
            None => Ok(Answer::Scheduled(self.run(left).await?)),
        }
    }

    /// Prunes, tops up, measures and posts feedback, within `left`. A prune that Postgres refuses or is too slow for
    /// does not cost the top-up, which is what everybody waits for; neither costs the metrics, which tell of it, or the
    /// feedback, nor it them.
    pub async fn run(&self, left: Duration) -> Result<Scheduled, Error> {
        let ends = Instant::now() + left;
        let pruned = self.queue.prune(left.saturating_sub(BEHIND_PRUNE).min(limits::PRUNE_BUDGET)).await;
        if let Err(error @ QueueError::Away { .. }) = pruned {
            // Looks at a database that was away a moment ago would only be waited for.
            self.metrics.write([Done { pruned: None, wakes: None }.line(self.metrics.cold_start())]);
            return Err(error.into());
        }
        let wakes = top_up(&self.queue, &self.wakes).await;
        let done = Done { pruned: pruned.as_ref().ok(), wakes: Some(&wakes) };
        measure(&self.queue, &self.metrics, done).await;
        let feedback_posted = self.post_feedback(ends).await;
        let (pruned, wakes) = match (pruned, wakes) {
            (Ok(pruned), Ok(wakes)) => (pruned, wakes),
            (Err(error), Err(also)) => {
                tracing::error!(error = %also, "the top-up failed");
                return Err(error.into());
            }
            (Err(error), Ok(_)) => return Err(error.into()),
            (Ok(_), Err(error)) => return Err(error.into()),
        };
        let scheduled = Scheduled::new(pruned, wakes, feedback_posted);
        scheduled.log();
        Ok(scheduled)
    }

    /// Posts what is left in the outbox: the next run, a minute later, posts what this one can't.
    async fn post_feedback(&self, ends: Instant) -> usize {
        let Some(feedback) = &self.feedback else { return 0 };
        let until = ends.min(Instant::now() + limits::FEEDBACK_OF_SCHEDULE);
        let Posted { messages, error } = feedback.post(&self.queue, until).await;
        if let Some(error) = error {
            tracing::error!(messages, %error, "feedback is left in the outbox; the next run will post it");
        }
        messages
    }
}

impl Scheduled {
    fn new(pruned: Pruned, wakes: ToppedUp, feedback_posted: usize) -> Self {
        let Pruned { busy, expired, retired, saturated } = pruned;
        Self { expired, retired, busy, saturated, feedback_posted, wakes }
    }

    fn log(&self) {
        let Self { expired, retired, busy, saturated, feedback_posted, wakes } = self;
        let ToppedUp { due, oldest_seconds, wake_posted, delayed } = wakes;
        tracing::info!(
            expired,
            retired,
            busy,
            saturated,
            feedback_posted,
            due,
            oldest_seconds,
            wake_posted,
            delayed,
            "scheduled"
        );
    }
}

//! The handler: one event is one wake, and one wake is one drain.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use aws_lambda_events::sqs::SqsBatchResponse;
use lambda_runtime::Error;
use pushwake::feedback::{FeedbackQueue, Posted};
use pushwake::function::config;
use pushwake::function::metric::Metrics;
use pushwake::function::secret::Secrets;
use pushwake::function::{Event, database};
use pushwake::limits::FEEDBACK_OF_DRAIN;
use pushwake::queue::Queue;
use pushwake::wake::WakeQueue;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::apps::Unable;
use crate::drain::{Drain, GIVE_UP};
use crate::event;
use crate::provider::Providers;

/// Kept at the very end for the answer.
const ANSWERING: Duration = Duration::from_secs(1);

/// What lives from invocation to invocation.
pub struct Handler {
    // Lambda invokes a process once at a time; the lock only says so to the compiler.
    state: Mutex<State>,
}

struct State {
    drain: Drain,
    unable: Unable,
    feedback: Option<FeedbackQueue>,
}

impl Handler {
    /// Builds every client, once. Nothing is connected yet: neither a database nor a provider that is away may fail
    /// this, and a key that can't be read pauses its app alone.
    pub async fn open(config: config::Drain) -> Result<Self, Error> {
        let apps = Box::pin(config.apps.read()).await?;
        let secrets = Arc::new(Secrets::default());
        let [queue, renewals] = database::queues(&config.database, &secrets, 1).await?;
        let wakes = WakeQueue::new(config.wake_queue_url).await;
        let feedback = config.feedback_queue_url.map(|url| FeedbackQueue::beside(&wakes, url));
        let drain = Drain {
            queue,
            renewals,
            wakes,
            providers: Providers::new(config.provider_ca.as_deref())?,
            window: config.window,
            give_up: GIVE_UP,
            breakers: HashMap::new(),
            metrics: Metrics::new(config.metrics_namespace),
            delivered_sample: config.delivered_sample,
        };
        let unable = Unable::new(apps.iter().cloned().collect(), secrets);
        Ok(Self { state: Mutex::new(State { drain, unable, feedback }) })
    }

    /// Drains. Success acknowledges the wake, also when work remains: a wake was posted for it.
    pub async fn handle(&self, event: Event) -> Result<SqsBatchResponse, Error> {
        let invocation = event::read(&event);
        let ends = Instant::now() + invocation.remaining.saturating_sub(ANSWERING);
        let State { drain, unable, feedback } = &mut *self.state.lock().await;
        unable.build(&mut drain.providers).await;
        let paused = unable.pause(&drain.queue).await;
        let summary = drain.run(invocation).await?;
        if let Some(feedback) = feedback
            && (paused || summary.feedback > 0)
        {
            post(feedback, &drain.queue, ends).await;
        }
        Ok(SqsBatchResponse::default())
    }
}

/// After the drain, on its connection: neither a claim nor a finish may wait for the feedback queue.
async fn post(feedback: &FeedbackQueue, outbox: &Queue, ends: Instant) {
    let Posted { messages, error } = feedback.post(outbox, ends.min(Instant::now() + FEEDBACK_OF_DRAIN)).await;
    if let Some(error) = error {
        tracing::warn!(messages, %error, "feedback is left in the outbox; schedule will post it");
    } else {
        tracing::info!(messages, "feedback posted");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_acknowledges_every_message() {
        let answer = serde_json::to_string(&SqsBatchResponse::default()).expect("an answer is JSON");
        assert_eq!(answer, r#"{"batchItemFailures":[]}"#);
    }
}

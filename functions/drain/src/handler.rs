//! The handler: one event is one wake, and one wake is one drain.

use std::collections::HashMap;

use aws_lambda_events::sqs::SqsBatchResponse;
use lambda_runtime::Error;
use pushwake::function::config::{self, Name};
use pushwake::function::secret::Secrets;
use pushwake::function::{Event, database};
use pushwake::queue::Queue;
use pushwake::wake::WakeQueue;
use tokio::sync::Mutex;

use crate::apps::Unable;
use crate::drain::{Drain, GIVE_UP};
use crate::event;
use crate::provider::Providers;

/// What lives from invocation to invocation.
pub struct Handler {
    // Lambda invokes a process once at a time; the lock only says so to the compiler.
    state: Mutex<State>,
}

struct State {
    drain: Drain,
    unable: Unable,
}

impl Handler {
    /// Reads the configuration and builds every client, once. Nothing is connected yet: neither a database nor a
    /// provider that is away may fail the start.
    pub async fn start() -> Result<Self, Error> {
        let config = config::Drain::read(Name::from_environment)?;
        let secrets = Secrets::default();
        let options = database::connect_options(&config.database, &secrets).await?;
        let prepared = !config.database.pooler;
        let queue = || Queue::new(database::pool(options.clone(), 1), prepared);
        let mut drain = Drain {
            queue: queue(),
            renewals: queue(),
            wakes: WakeQueue::new(config.wake_queue_url).await,
            providers: Providers::new(config.provider_ca.as_deref())?,
            window: config.window,
            give_up: GIVE_UP,
            breakers: HashMap::new(),
        };
        let mut unable = Unable::new(config.apps.iter().cloned().collect(), secrets);
        unable.build(&mut drain.providers).await;
        Ok(Self { state: Mutex::new(State { drain, unable }) })
    }

    /// Drains. Success acknowledges the wake, also when work remains: a wake was posted for it.
    pub async fn handle(&self, event: Event) -> Result<SqsBatchResponse, Error> {
        let invocation = event::read(&event);
        let State { drain, unable } = &mut *self.state.lock().await;
        unable.build(&mut drain.providers).await;
        unable.pause(&drain.queue).await;
        drain.run(invocation).await?;
        Ok(SqsBatchResponse::default())
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

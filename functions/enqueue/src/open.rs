//! From the configuration to a handler, once per instance.

use std::sync::Arc;

use pushwake::contract::UNAVAILABLE;
use pushwake::function::metric::Metrics;
use pushwake::function::{Failure, config, database};
use pushwake::limits::ENQUEUE_CONNECTIONS;
use pushwake::wake::WakeQueue;

use crate::Enqueue;

impl Enqueue {
    /// Builds the clients, with the apps and the password that the configuration refers to. Nothing of the call that
    /// asked for it has been looked at: it is one to make again.
    pub async fn open(config: config::Enqueue) -> Result<Self, lambda_runtime::Error> {
        let failure = |message| Failure { error_type: UNAVAILABLE, message };
        // Boxed, since the SDK's set-up would stay in the size of main's future.
        let apps = Box::pin(config.apps.read()).await.map_err(|error| failure(error.to_string()))?;
        let queues = database::queues(&config.database, &Arc::default(), ENQUEUE_CONNECTIONS).await;
        let [queue] = queues.map_err(|error| failure(error.to_string()))?;
        Ok(Self {
            queue,
            wake_queue: Box::pin(WakeQueue::new(config.wake_queue_url)).await,
            apps,
            source_quota: config.source_quota,
            default_life: config.default_life,
            metrics: Metrics::new(config.metrics_namespace),
        })
    }
}

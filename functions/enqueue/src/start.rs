//! From the environment to a handler, once per instance.

use pushwake::function::config::{self, Name};
use pushwake::function::{database, secret::Secrets};
use pushwake::limits::ENQUEUE_CONNECTIONS;
use pushwake::queue::Queue;
use pushwake::wake::WakeQueue;

use crate::Enqueue;

impl Enqueue {
    /// Reads the configuration through `lookup` and builds the clients.
    pub async fn start(lookup: impl Fn(Name) -> Option<String>) -> Result<Self, lambda_runtime::Error> {
        let config = config::Enqueue::read(lookup)?;
        let options = database::connect_options(&config.database, &Secrets::default()).await?;
        Ok(Self {
            queue: Queue::new(database::pool(options, ENQUEUE_CONNECTIONS), !config.database.pooler),
            // Boxed, since the SDK's set-up would stay in the size of main's future.
            wake_queue: Box::pin(WakeQueue::new(config.wake_queue_url)).await,
            apps: config.apps,
            source_quota: config.source_quota,
        })
    }
}

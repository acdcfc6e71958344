//! One invocation: direct, or of a deploy.

use std::time::{Duration, Instant};

use lambda_runtime::Error;
use pushwake::function::config::{self, ConfigError, Name};
use pushwake::function::deadline::time_left;
use pushwake::function::secret::Secrets;
use pushwake::function::{Event, database};
use pushwake::limits;

use crate::apply::{Applied, apply};
use crate::error::MigrateError;
use crate::respond::respond;
use crate::stack::StackEvent;

/// The function. A fault of its configuration is kept for the invocation: an init error would leave a deploy
/// without an answer.
#[derive(Clone, Debug)]
pub struct Migrate {
    config: Result<config::Migrate, ConfigError>,
}

impl Migrate {
    /// Reads the configuration through `lookup`.
    pub fn new(lookup: impl Fn(Name) -> Option<String>) -> Self {
        Self { config: config::Migrate::read(lookup) }
    }

    /// Handles one invocation. What happened is the answer of a direct one, and is PUT for a deploy; then only a
    /// PUT that failed is an error of the invocation, since Lambda would try a failed migration twice more.
    pub async fn handle(&self, event: Event) -> Result<Option<Applied>, Error> {
        let (began, left) = (Instant::now(), time_left(&event.context));
        // Half of it is kept where the whole time-out is short.
        let budget = left.saturating_sub(limits::MIGRATE_ANSWER).max(left / 2);
        let Some(stack) = StackEvent::read(event.payload.get()) else {
            return Ok(Some(self.migrate(budget).await?));
        };
        let outcome = match stack.request_type.as_str() {
            "Create" | "Update" => self.migrate(budget).await.map(Some),
            // The tables outlive the stack.
            "Delete" => Ok(None),
            _ => Err(MigrateError::Request),
        };
        if let Err(error) = &outcome {
            tracing::error!(%error, "the migration failed, and so will the deploy");
        }
        let version = |applied: &Option<Applied>| applied.as_ref().map_or(0, |applied| applied.version);
        let answer = stack.answer(outcome.as_ref().map(version).map_err(ToString::to_string));
        respond(&stack.response_url, &answer, left.saturating_sub(began.elapsed())).await?;
        Ok(outcome.ok().flatten())
    }

    /// In a task of its own, so that neither a panic nor a database that stops answering keeps a deploy waiting.
    async fn migrate(&self, budget: Duration) -> Result<Applied, MigrateError> {
        let config = self.config.clone()?;
        let mut migration = tokio::spawn(async move {
            let options = database::connect_options(&config.database, &Secrets::default()).await?;
            apply(&options, budget).await
        });
        // What is bounded by the budget ends a little after it; what is not bounded never would.
        let grace = (budget / 10).min(limits::MIGRATE_ANSWER / 2);
        if let Ok(done) = tokio::time::timeout(budget + grace, &mut migration).await {
            return done.unwrap_or(Err(MigrateError::Panicked));
        }
        migration.abort();
        let _ = migration.await;
        Err(MigrateError::Silent(budget))
    }
}

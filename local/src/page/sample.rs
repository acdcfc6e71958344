//! How the queue stood at one instant.

use std::time::Duration;

use sqlx::{FromRow, PgPool};
use time::OffsetDateTime;
use tokio::time::Instant;

/// How the queue stood at one instant.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) at: Instant,
    /// Those with something to say, in order.
    pub(super) apps: Vec<OfApp>,
    /// All attempts so far that were delivered, and all others.
    pub(super) delivered: u64,
    pub(super) undelivered: u64,
}

/// One app.
#[derive(Clone, Debug, FromRow)]
pub(super) struct OfApp {
    pub(super) app: String,
    /// Notifications that wait.
    pub(super) queued: i64,
    /// Heads that a drain has leased.
    pub(super) in_flight: i64,
    /// Heads that could be tried now.
    pub(super) due: i64,
    /// For how many seconds the oldest of those could have been.
    pub(super) oldest: f64,
    /// Seconds until the next head falls due.
    pub(super) coming: Option<f64>,
    #[sqlx(flatten)]
    pub(super) pause: Pause,
}

/// The pause of an app, where it has one.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Pause {
    pub(super) reason: Option<String>,
    pub(super) step: Option<i32>,
    pub(super) paused_at: Option<OffsetDateTime>,
    pub(super) until: Option<OffsetDateTime>,
    /// Its time is over, and it waits for the verdict of a probe.
    pub(super) probing: Option<bool>,
}

impl Sample {
    /// One app's part of it.
    pub(super) fn of(&self, app: &str) -> Option<&OfApp> {
        self.apps.iter().find(|found| found.app == app)
    }
}

/// Reads all apps.
pub(super) async fn apps(pool: &PgPool, within: Duration) -> Result<Vec<OfApp>, String> {
    let read = sqlx::query_as(include_str!("sql/apps.sql")).fetch_all(pool);
    match tokio::time::timeout(within, read).await {
        Ok(Ok(apps)) => Ok(apps),
        Ok(Err(error)) => Err(format!("Postgres does not answer: {error}")),
        Err(_) => Err(format!("Postgres has not answered within {within:?}")),
    }
}

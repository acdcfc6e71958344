//! Pauses of an app, and tokens that are dead.

use std::time::Duration;

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{Postgres, Row};
use time::OffsetDateTime;

use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::contract::{AppId, DeviceId, EventId, Source};
use crate::limits::{LEASE, PAUSE_FIRST, PAUSE_LONGEST, STATEMENT_DEADLINE};

/// The reason of a pause whose app had more dead tokens than can be true: while it stands, none is recorded.
pub const TOO_MANY_DEAD_TOKENS: &str = "TooManyDeadTokens";

/// The reason of a pause whose app's key is missing or unreadable: it ends as soon as a drain that has the key asks.
pub const UNREADABLE_KEY: &str = "UnreadableKey";

/// Whose turn it is to try a paused app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Ours: claim one head of the app and report.
    Ours {
        /// What the app is paused for, which decides what the probe's answer is worth.
        reason: String,
    },
    /// Not due, another drain's, or not paused.
    NotOurs,
}

/// A token its provider called dead.
#[derive(Clone, Debug)]
pub struct DeadToken {
    /// The app.
    pub app: AppId,
    /// The device it was registered for.
    pub device: DeviceId,
    /// SHA-256 of the token or endpoint.
    pub token_hash: Vec<u8>,
    /// The provider's reason.
    pub reason: String,
    /// The provider's own time of the verdict, where it names one; else the database's clock.
    pub dead_at: Option<OffsetDateTime>,
    /// The source of the event whose send met the verdict.
    pub source: Source,
    /// That event.
    pub event: EventId,
}

impl Queue {
    /// Records dead tokens (the outbox of the feedback queue). Committed before anything is posted. Those of an app that
    /// is paused for [`TOO_MANY_DEAD_TOKENS`] are left out, whoever paused it.
    pub async fn mark_dead(&self, dead: &[DeadToken]) -> Result<(), QueueError> {
        within("dead tokens", STATEMENT_DEADLINE, async {
            let statement = self
                .sql(statements::DEAD_TOKENS_MARK)
                .bind(dead.iter().map(|token| token.app.as_str()).collect::<Vec<_>>())
                .bind(dead.iter().map(|token| token.token_hash.as_slice()).collect::<Vec<_>>())
                .bind(dead.iter().map(|token| token.device.as_str()).collect::<Vec<_>>())
                .bind(dead.iter().map(|token| token.reason.as_str()).collect::<Vec<_>>())
                .bind(dead.iter().map(|token| token.dead_at).collect::<Vec<_>>())
                .bind(dead.iter().map(|token| token.source.as_str()).collect::<Vec<_>>())
                .bind(dead.iter().map(|token| token.event.as_str()).collect::<Vec<_>>())
                .bind(TOO_MANY_DEAD_TOKENS);
            let mut alone = self.alone().await?;
            statement.execute(alone.connection()).await?;
            self.done(alone).await?;
            Ok(())
        })
        .await
    }

    /// Pauses an app, or prolongs its pause by one step: [`PAUSE_FIRST`] doubling to [`PAUSE_LONGEST`], never below
    /// `at_least`. One transaction per app, after the finish has committed. Returns how long it is paused now.
    pub async fn pause(&self, app: &AppId, reason: &str, at_least: Option<Duration>) -> Result<Duration, QueueError> {
        within("a pause", STATEMENT_DEADLINE, async {
            let mut alone = self.alone().await?;
            let row = self
                .sql(statements::PAUSE)
                .bind(app.as_str())
                .bind(reason)
                .bind(PAUSE_FIRST.as_secs_f64())
                .bind(PAUSE_LONGEST.as_secs_f64())
                .bind(at_least.unwrap_or_default().as_secs_f64())
                .fetch_one(alone.connection())
                .await?;
            self.done(alone).await?;
            Ok(Duration::from_secs_f64(row.try_get::<f64, _>("seconds")?.max(0.0)))
        })
        .await
    }

    /// Ends a pause: a probe was accepted. Its end is kept for the feedback queue.
    pub async fn resume(&self, app: &AppId) -> Result<(), QueueError> {
        self.write_pause(self.sql(statements::RESUME).bind(app.as_str())).await.map(drop)
    }

    /// Tries to take the one probe of a pause whose time is over, or of one for [`UNREADABLE_KEY`]: only a drain that has
    /// the app's key asks. A probe not reported within a lease is free again.
    pub async fn take_probe(&self, app: &AppId) -> Result<Probe, QueueError> {
        within("a probe", STATEMENT_DEADLINE, async {
            let mut alone = self.alone().await?;
            let taken = self
                .sql(statements::PROBE_TAKE)
                .bind(app.as_str())
                .bind(LEASE.as_secs_f64())
                .bind(UNREADABLE_KEY)
                .fetch_optional(alone.connection())
                .await?;
            self.done(alone).await?;
            Ok(match taken {
                Some(pause) => Probe::Ours { reason: pause.try_get("reason")? },
                None => Probe::NotOurs,
            })
        })
        .await
    }

    /// Gives the probe back (nothing to send, or an ambiguous answer), so that another drain may take it at once.
    pub async fn give_probe_back(&self, app: &AppId) -> Result<(), QueueError> {
        self.write_pause(self.sql(statements::PROBE_RETURN).bind(app.as_str())).await.map(drop)
    }

    async fn write_pause(&self, statement: Query<'_, Postgres, PgArguments>) -> Result<u64, QueueError> {
        within("a pause", STATEMENT_DEADLINE, async {
            let mut alone = self.alone().await?;
            let rows = statement.execute(alone.connection()).await?.rows_affected();
            self.done(alone).await?;
            Ok(rows)
        })
        .await
    }
}

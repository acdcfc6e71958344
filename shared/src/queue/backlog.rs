//! Backlog: what the database says is due.

use std::time::Duration;

use sqlx::Row;

use super::begin::BEGIN;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::contract::AppId;
use crate::limits::{DRAINS, STATEMENT_DEADLINE};

/// What is due, as far as a top-up needs to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Due, unleased lanes of unpaused apps, counted up to [`DRAINS`] an app; one of an app
    /// whose pause is over and waits for its probe.
    pub due: usize,
    /// How long the oldest of them has been due.
    pub oldest: Duration,
    /// Until the earliest future due time or end of a pause.
    pub next: Option<Duration>,
}

impl Queue {
    /// Reads the backlog. `apps`: only these (a drain's); `None`: every app with lanes (schedule's).
    pub async fn backlog(&self, apps: Option<&[AppId]>) -> Result<Backlog, QueueError> {
        within("the backlog", STATEMENT_DEADLINE, async {
            let apps = apps.map(|apps| apps.iter().map(AppId::as_str).collect::<Vec<_>>());
            let mut transaction = self.begin(BEGIN).await?;
            let row = self
                .sql(statements::BACKLOG)
                .bind(apps)
                .bind(DRAINS as i64)
                .fetch_one(transaction.connection())
                .await?;
            self.commit(transaction).await?;
            let seconds = |column| -> sqlx::Result<Option<Duration>> {
                Ok(row.try_get::<Option<f64>, _>(column)?.map(|seconds| Duration::from_secs_f64(seconds.max(0.0))))
            };
            Ok(Backlog {
                due: row.try_get::<i64, _>("due")? as usize,
                oldest: seconds("oldest")?.unwrap_or_default(),
                next: seconds("next")?,
            })
        })
        .await
    }
}

//! Measure: the state of the queue and of its tables, for the metrics of the minute.
//!
//! Three looks, each on its own: whatever one of them meets costs the others nothing.

use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::begin::BEGIN_LOOKING;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::contract::AppId;
use crate::limits::MEASURE_DEADLINE;

const STEP: &str = "a measure";

/// One app that has lanes or a pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredApp {
    /// The app.
    pub app: AppId,
    /// How long its oldest due, unleased head has been due.
    pub oldest_due: Duration,
    /// Whether it is paused, or was and what is due has not been seen to go out since.
    pub paused: bool,
}

impl Queue {
    /// The apps, in order.
    pub async fn measure_apps(&self) -> Result<Vec<MeasuredApp>, QueueError> {
        let rows = self.look(statements::MEASURE_APPS).await?;
        let app = |row: &PgRow| -> sqlx::Result<MeasuredApp> {
            let app = row.try_get::<String, _>("app")?.into();
            Ok(MeasuredApp { app, oldest_due: seconds(row, "oldest")?, paused: row.try_get("paused")? })
        };
        rows.iter().map(app).collect::<Result<_, _>>().map_err(|error| QueueError::new(STEP, error))
    }

    /// The age of the oldest snapshot that this role can see.
    pub async fn measure_snapshot(&self) -> Result<Duration, QueueError> {
        let rows = self.look(statements::MEASURE_SNAPSHOT).await?;
        seconds(&rows[0], "age").map_err(|error| QueueError::new(STEP, error))
    }

    /// Dead rows, by the statistics.
    pub async fn measure_tuples(&self) -> Result<u64, QueueError> {
        let rows = self.look(statements::MEASURE_TUPLES).await?;
        let dead = rows[0].try_get::<i64, _>("dead").map_err(|error| QueueError::new(STEP, error))?;
        Ok(dead.unsigned_abs())
    }

    async fn look(&self, statement: &'static str) -> Result<Vec<PgRow>, QueueError> {
        within(STEP, MEASURE_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_LOOKING).await?;
            let rows = self.sql(statement).fetch_all(transaction.connection()).await?;
            self.commit(transaction).await?;
            Ok(rows)
        })
        .await
    }
}

/// None is no time, as is what a clock that stepped back makes of one.
fn seconds(row: &PgRow, column: &str) -> sqlx::Result<Duration> {
    Ok(Duration::from_secs_f64(row.try_get::<Option<f64>, _>(column)?.unwrap_or_default().max(0.0)))
}

//! One migrator at a time.

use std::time::{Duration, Instant};

use pushwake::limits;
use pushwake::queue::lock_keys;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};

use crate::blocker::{Blocker, blockers_of, holders_of};
use crate::error::MigrateError;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// The `migrate` lock, held by an idle transaction until this is dropped.
pub(crate) struct Lock {
    connection: PgConnection,
}

pub(crate) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, MigrateError> {
    match tokio::time::timeout(CONNECT, options.connect()).await {
        Ok(connected) => connected.map_err(MigrateError::Away),
        Err(_) => Err(MigrateError::Away(sqlx::Error::PoolTimedOut)),
    }
}

impl Lock {
    /// Polls for the lock until `until`.
    pub async fn take(options: &PgConnectOptions, start: Instant, budget: Duration) -> Result<Self, MigrateError> {
        let mut connection = connect(options).await?;
        while !try_lock(&mut connection).await.map_err(MigrateError::Away)? {
            if start.elapsed() + limits::MIGRATE_RETRY > budget {
                let holders = holders_of(&mut connection, lock_keys::MIGRATE).await.unwrap_or_default();
                return Err(MigrateError::Busy { waited: budget, holders });
            }
            tokio::time::sleep(pause()).await;
        }
        Ok(Self { connection })
    }

    /// Lets the next migrator in.
    pub async fn release(self) {
        // Closed politely: Postgres notices at once.
        let _ = self.connection.close().await;
    }

    /// Those who block the backend `pid` at this moment.
    pub async fn blockers_of(&mut self, pid: i32) -> Vec<Blocker> {
        // Only a message depends on it.
        blockers_of(&mut self.connection, pid).await.unwrap_or_default()
    }
}

/// Between two tries: jittered, so that migrators and writers that met once do not meet for ever.
pub(crate) fn pause() -> Duration {
    limits::MIGRATE_RETRY.mul_f64(rand::random_range(0.25..1.0))
}

async fn try_lock(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::raw_sql("begin").execute(&mut *connection).await?;
    sqlx::query(include_str!("sql/hold.sql")).persistent(false).execute(&mut *connection).await?;
    let ours: bool = sqlx::query_scalar(include_str!("sql/try_lock.sql"))
        .bind(lock_keys::MIGRATE)
        .persistent(false)
        .fetch_one(&mut *connection)
        .await?;
    if !ours {
        sqlx::raw_sql("rollback").execute(connection).await?;
    }
    Ok(ours)
}

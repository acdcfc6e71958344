//! Applies one migration: attempts, until one gets the locks it needs.

use std::pin::pin;
use std::time::Duration;

use pushwake::limits;
use sqlx::AssertSqlSafe;
use sqlx::error::DatabaseError;
use sqlx::postgres::PgConnection;

use crate::apply::Run;
use crate::blocker::Blocker;
use crate::error::{MigrateError, list};
use crate::lock::{Lock, pause};
use crate::migrations::Migration;
use crate::statements::{names, statements};

/// How often a transaction that may be waiting is looked at: a few times before it gives up its wait.
const LOOK: Duration = Duration::from_millis(limits::MIGRATE_LOCK_TIMEOUT.as_millis() as u64 / 4);
/// How long before its end a statement outside a transaction is looked at, once.
const LAST_LOOK: Duration = Duration::from_secs(1);

impl Run {
    /// Applies one migration, again and again while its tables are in use, until the budget ends.
    pub(crate) async fn one(&mut self, migration: &Migration) -> Result<(), MigrateError> {
        let began = self.start.elapsed();
        let mut blockers = Vec::new();
        loop {
            let attempt = if migration.in_transaction() {
                self.in_transaction(migration, &mut blockers).await
            } else {
                self.outside(migration, &mut blockers).await
            };
            let Err(error) = attempt else { return Ok(()) };
            let code = error.as_database_error().and_then(DatabaseError::code).unwrap_or_default().into_owned();
            // lock_not_available, deadlock_detected, serialization_failure
            let in_use = matches!(code.as_str(), "55P03" | "40P01" | "40001");
            // query_canceled: by the statement's time-out, which is the end of the budget
            let canceled = code == "57014";
            if in_use && self.start.elapsed() + limits::MIGRATE_RETRY <= self.budget {
                let by = list(&blockers);
                tracing::info!(migration = migration.name, by, "its table is in use; trying again");
                tokio::time::sleep(pause()).await;
                continue;
            }
            return Err(if in_use || canceled && !blockers.is_empty() {
                let waited = self.start.elapsed().saturating_sub(began);
                MigrateError::Blocked { migration: migration.name, waited, blockers }
            } else if canceled {
                MigrateError::Slow { migration: migration.name, budget: self.budget }
            } else {
                MigrateError::new(migration.name, error)
            });
        }
    }

    /// The file and its record, or nothing of it.
    async fn in_transaction(&mut self, migration: &Migration, blockers: &mut Vec<Blocker>) -> sqlx::Result<()> {
        let left = self.left();
        let Self { lock, connection, .. } = self;
        sqlx::raw_sql("begin").execute(&mut *connection).await?;
        let done = async {
            bound(connection, limits::MIGRATE_LOCK_TIMEOUT, left, true).await?;
            let pid = pid(connection).await?;
            let file = sqlx::raw_sql(migration.sql).execute(&mut *connection);
            watched(lock, pid, LOOK, blockers, file).await?;
            record(connection, migration).await
        };
        match done.await {
            Ok(()) => sqlx::raw_sql("commit").execute(connection).await.map(drop),
            Err(error) => {
                let _ = sqlx::raw_sql("rollback").execute(connection).await;
                Err(error)
            }
        }
    }

    /// Statement by statement. A wait is not bounded but by the budget: these statements let writers pass, and each
    /// one that fails half way has to start from the beginning.
    async fn outside(&mut self, migration: &Migration, blockers: &mut Vec<Blocker>) -> sqlx::Result<()> {
        let left = self.left();
        // The last look is at most one, since its snapshot could be what the statement waits for.
        let every = left.saturating_sub(LAST_LOOK).max(left / 2);
        let Self { lock, connection, .. } = self;
        bound(connection, left, left, false).await?;
        let pid = pid(connection).await?;
        for drop_index in invalid_indexes(connection, migration).await? {
            let drop_index = sqlx::raw_sql(AssertSqlSafe(drop_index)).execute(&mut *connection);
            watched(lock, pid, every, blockers, drop_index).await?;
        }
        for statement in statements(migration.sql) {
            let statement = sqlx::raw_sql(statement).execute(&mut *connection);
            watched(lock, pid, every, blockers, statement).await?;
        }
        record(connection, migration).await
    }

    fn left(&self) -> Duration {
        self.budget.saturating_sub(self.start.elapsed())
    }
}

/// Looks, while a statement runs, at who blocks it: afterwards it is too late to ask.
async fn watched<T>(
    lock: &mut Lock,
    pid: i32,
    every: Duration,
    blockers: &mut Vec<Blocker>,
    statement: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<()> {
    let mut statement = pin!(statement);
    loop {
        if let Ok(done) = tokio::time::timeout(every, &mut statement).await {
            return done.map(drop);
        }
        let seen = lock.blockers_of(pid).await;
        if !seen.is_empty() {
            *blockers = seen;
        }
    }
}

/// Time-outs of the statements to come; zero would mean none.
async fn bound(connection: &mut PgConnection, lock: Duration, statement: Duration, local: bool) -> sqlx::Result<()> {
    let text = |timeout: Duration| timeout.as_millis().max(1).to_string();
    sqlx::query(include_str!("sql/bound.sql"))
        .bind(text(lock))
        .bind(text(statement))
        .bind(local)
        .persistent(false)
        .execute(connection)
        .await
        .map(drop)
}

async fn pid(connection: &mut PgConnection) -> sqlx::Result<i32> {
    sqlx::query_scalar("select pg_backend_pid()").persistent(false).fetch_one(connection).await
}

async fn record(connection: &mut PgConnection, migration: &Migration) -> sqlx::Result<()> {
    sqlx::query(include_str!("sql/record.sql"))
        .bind(migration.version)
        .bind(migration.name)
        .bind(migration.checksum())
        .persistent(false)
        .execute(connection)
        .await
        .map(drop)
}

/// The statements that drop what a failed attempt at `migration` left behind.
async fn invalid_indexes(connection: &mut PgConnection, migration: &Migration) -> sqlx::Result<Vec<String>> {
    let invalid: Vec<(String, String)> =
        sqlx::query_as(include_str!("sql/invalid_indexes.sql")).persistent(false).fetch_all(connection).await?;
    Ok(invalid.into_iter().filter(|(name, _)| names(migration.sql, name)).map(|(_, drop_index)| drop_index).collect())
}

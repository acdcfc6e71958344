//! Applies what is pending.

use std::time::{Duration, Instant};

use serde::Serialize;
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection};

use crate::error::MigrateError;
use crate::lock::{Lock, connect};
use crate::migrations::{MIGRATIONS, Migration};

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The names of the migrations this run applied, in order.
    pub applied: Vec<&'static str>,
    /// The version of the schema now: ours, or a newer one.
    pub version: i32,
}

/// Applies every embedded migration that is pending, within `budget`. Safe to run several times at once.
pub async fn apply(options: &PgConnectOptions, budget: Duration) -> Result<Applied, MigrateError> {
    Migrator { options, migrations: MIGRATIONS, budget }.run().await
}

/// One run over a list of migrations.
#[derive(Debug)]
pub struct Migrator<'a> {
    /// How to connect, not through a transaction pooler. Two connections are used.
    pub options: &'a PgConnectOptions,
    /// All of them, in order.
    pub migrations: &'a [Migration],
    /// When to give up.
    pub budget: Duration,
}

impl Migrator<'_> {
    /// Takes the lock, applies what is pending, and lets the lock go.
    pub async fn run(&self) -> Result<Applied, MigrateError> {
        let start = Instant::now();
        let lock = Lock::take(self.options, start, self.budget).await?;
        let connection = connect(self.options).await?;
        let mut run = Run { lock, connection, start, budget: self.budget };
        let applied = run.all(self.migrations).await;
        // The statements' connection first: nobody else may start while one of them still runs.
        let _ = run.connection.close().await;
        run.lock.release().await;
        applied
    }
}

/// A run that holds the lock.
pub(crate) struct Run {
    pub lock: Lock,
    pub connection: PgConnection,
    pub start: Instant,
    pub budget: Duration,
}

impl Run {
    async fn all(&mut self, migrations: &[Migration]) -> Result<Applied, MigrateError> {
        let known = self.known().await.map_err(|error| MigrateError::new("of schema_migrations", error))?;
        let newest = known.last().map_or(0, |(version, _)| *version);
        let ours = migrations.last().map_or(0, |migration| migration.version);
        if newest > ours {
            tracing::info!(newest, ours, "the schema is newer than this revision; nothing to apply");
            return Ok(Applied { applied: Vec::new(), version: newest });
        }
        let mut applied = Vec::new();
        for migration in migrations {
            match known.iter().find(|(version, _)| *version == migration.version) {
                Some((_, checksum)) if *checksum == migration.checksum() => {}
                Some(_) => return Err(MigrateError::Changed(migration.name)),
                None => {
                    self.one(migration).await?;
                    tracing::info!(migration = migration.name, "applied");
                    applied.push(migration.name);
                }
            }
        }
        Ok(Applied { applied, version: ours })
    }

    /// What is applied, by version. Created here, so that the first run finds its table, too.
    async fn known(&mut self) -> sqlx::Result<Vec<(i32, String)>> {
        sqlx::raw_sql(include_str!("sql/create_schema_migrations.sql")).execute(&mut self.connection).await?;
        sqlx::query_as(include_str!("sql/applied.sql")).persistent(false).fetch_all(&mut self.connection).await
    }
}

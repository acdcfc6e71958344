//! Who stands in a migration's way.

use std::fmt;

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A session that holds what a migration waits for.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Blocker {
    /// Its backend: what `pg_terminate_backend` takes.
    pub pid: i32,
    /// What it calls itself; none where the role may not see it.
    pub application_name: Option<String>,
    /// `active`, `idle in transaction` …
    pub state: Option<String>,
    /// Since when its transaction is open.
    pub xact_start: Option<OffsetDateTime>,
}

impl fmt::Display for Blocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let application = self.application_name.as_deref().filter(|name| !name.is_empty()).unwrap_or("unnamed");
        write!(f, "pid {} ({application}, {}", self.pid, self.state.as_deref().unwrap_or("state unknown"))?;
        if let Some(since) = self.xact_start.and_then(|since| since.format(&Rfc3339).ok()) {
            write!(f, ", in its transaction since {since}")?;
        }
        f.write_str(")")
    }
}

/// Those who block the backend `pid` at this moment.
pub(crate) async fn blockers_of(connection: &mut PgConnection, pid: i32) -> sqlx::Result<Vec<Blocker>> {
    // Inside a transaction Postgres shows the activity as it was at the first look.
    sqlx::query("select pg_stat_clear_snapshot()").persistent(false).execute(&mut *connection).await?;
    sqlx::query_as(include_str!("sql/blockers.sql")).bind(pid).persistent(false).fetch_all(connection).await
}

/// Those who hold the advisory lock `key`.
pub(crate) async fn holders_of(connection: &mut PgConnection, key: i64) -> sqlx::Result<Vec<Blocker>> {
    sqlx::query_as(include_str!("sql/lock_holders.sql")).bind(key).persistent(false).fetch_all(connection).await
}

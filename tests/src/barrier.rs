//! Barriers: statements are paused by locks that the test holds, and watched in `pg_stat_activity`.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, PgPool};

use crate::database::Database;

/// An open transaction of the test; what it locked stays locked until it is released or dropped.
pub struct Held(PgConnection);

impl Held {
    /// Opens a transaction and runs `sql` in it.
    pub async fn new(database: &Database, sql: &str) -> Self {
        let mut connection = PgConnection::connect_with(&database.options()).await.expect("the test's own connection");
        sqlx::raw_sql(AssertSqlSafe(format!("begin; {sql}"))).execute(&mut connection).await.expect(sql);
        Self(connection)
    }

    /// Runs more in the same transaction.
    pub async fn execute(&mut self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.0).await.expect(sql);
    }

    /// Commits, which releases the locks.
    pub async fn commit(mut self) {
        self.execute("commit").await;
    }

    /// Rolls back, which releases the locks.
    pub async fn roll_back(mut self) {
        self.execute("rollback").await;
    }
}

/// Waits until a backend called `name` in the pool's database waits for a lock.
pub async fn until_blocked(pool: &PgPool, name: &str) {
    until(|| async {
        let blocked: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'",
        )
        .bind(name)
        .fetch_one(pool)
        .await
        .expect("pg_stat_activity");
        blocked > 0
    })
    .await;
}

/// Waits for a condition; panics when it has not come true within a minute.
pub async fn until<F: Future<Output = bool>>(condition: impl Fn() -> F) {
    soon(async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

/// Waits for what has no time-out of its own; panics when it has not happened within a minute.
pub async fn soon<T>(awaited: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), awaited).await.expect("what is awaited happens within a minute")
}

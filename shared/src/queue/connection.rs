//! Transactions that are never cancelled through the pool.
//!
//! A future that waits for Postgres may be dropped only together with its connection: a cancelled `begin` hands the
//! next borrower a connection inside an open transaction, and a vanished host answers nothing, so that no server
//! time-out fires. [`Transaction`] therefore leaves the pool when it is dropped before its commit was answered, and
//! [`within`] puts the client's deadline around the whole of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::query::Query;
use sqlx::{PgPool, Postgres};
use tokio::time::timeout;

use super::reread::{Reread, Rereading};
use crate::limits::GIVE_BACK_DEADLINE;

/// What a caller of the queue can act on.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// Postgres did not answer in time; the connection was dropped with the transaction.
    #[error("postgres did not answer {0} in time: check the network path and the load of the database")]
    Deadline(&'static str),
    /// Postgres can't be reached, or the connection broke.
    #[error("postgres can't be reached for {step}: {error}")]
    Away {
        /// The protocol step.
        step: &'static str,
        /// What the connection said.
        #[source]
        error: sqlx::Error,
    },
    /// Postgres refused a statement.
    #[error("postgres refused {step}: {}", refusal(.error))]
    Refused {
        /// The protocol step.
        step: &'static str,
        /// What Postgres said.
        #[source]
        error: sqlx::Error,
    },
}

/// What Postgres said, unless it may quote a value: a row's, or what a trigger of the operator's makes of one.
fn refusal(error: &sqlx::Error) -> String {
    let sqlx::Error::Database(refused) = error else { return error.to_string() };
    let code = refused.code().unwrap_or_default();
    if ["22", "P0"].iter().any(|class| code.starts_with(class)) {
        return format!("SQLSTATE {code}; its text is withheld, since it may quote a row");
    }
    format!("{} (SQLSTATE {code})", refused.message())
}

impl QueueError {
    pub(super) fn new(step: &'static str, error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(ref refused) if !is_away(refused.code().as_deref()) => Self::Refused { step, error },
            error => Self::Away { step, error },
        }
    }

    /// Whether the lock that was waited for did not come free within `lock_timeout`.
    pub(super) fn is_lock_timeout(&self) -> bool {
        matches!(self, Self::Refused { error: sqlx::Error::Database(refused), .. } if refused.code().as_deref() == Some("55P03"))
    }
}

/// The queue, over a pool of its caller's size.
#[derive(Clone)]
pub struct Queue {
    pool: PgPool,
    prepared: bool,
    rereading: Option<Rereading>,
    statements: Arc<AtomicU64>,
}

impl Queue {
    /// A queue over `pool`. `prepared` is off behind a transaction pooler, which can't keep prepared statements.
    pub fn new(pool: PgPool, prepared: bool) -> Self {
        Self { pool, prepared, rereading: None, statements: Arc::default() }
    }

    /// Has `reread` asked for new settings when Postgres refuses the role or its password, and before a connection is
    /// borrowed once the last ones are older than `fresh`.
    #[must_use]
    pub fn rereading(self, reread: Reread, fresh: Option<Duration>) -> Self {
        Self { rereading: Some(Rereading::new(reread, fresh)), ..self }
    }

    /// Statements sent so far, `begin` and `commit` included.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    pub(super) fn sql<'q>(&self, statement: &'static str) -> Query<'q, Postgres, PgArguments> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        sqlx::query(statement).persistent(self.prepared)
    }

    /// Opens a transaction with its settings, in one round trip.
    pub(super) async fn begin(&self, settings: &'static str) -> sqlx::Result<Transaction> {
        let mut transaction = self.borrow().await?;
        self.statements.fetch_add(1, Ordering::Relaxed);
        sqlx::raw_sql(settings).execute(transaction.connection()).await?;
        Ok(transaction)
    }

    /// A connection for statements that are transactions of their own.
    ///
    /// Not behind a pooler: sqlx sends a statement's text and its values in two rounds, and between two transactions a
    /// pooler may give them to two servers, of which the second one knows nothing of the first round.
    pub(super) async fn alone(&self) -> sqlx::Result<Transaction> {
        if self.prepared { self.borrow().await } else { self.begin(BEGIN_ALONE).await }
    }

    /// Ends what [`Queue::alone`] began.
    pub(super) async fn done(&self, alone: Transaction) -> sqlx::Result<()> {
        if !self.prepared {
            return self.commit(alone).await;
        }
        alone.give_back().await;
        Ok(())
    }

    async fn borrow(&self) -> sqlx::Result<Transaction> {
        if let Some(rereading) = &self.rereading {
            rereading.freshen(&self.pool).await;
        }
        let connection = match (self.pool.acquire().await, &self.rereading) {
            (Err(error), Some(rereading)) if is_refused(&error) => {
                // A password was rotated: the connections that are open go on, a new one needs the new password.
                if !rereading.read_again(&self.pool).await {
                    return Err(error);
                }
                self.pool.acquire().await?
            }
            (connection, _) => connection?,
        };
        Ok(Transaction { connection: Some(connection) })
    }

    pub(super) async fn commit(&self, mut transaction: Transaction) -> sqlx::Result<()> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        sqlx::raw_sql("commit").execute(transaction.connection()).await?;
        transaction.give_back().await;
        Ok(())
    }
}

/// Class 57P: the server is shutting down or was told to drop the connection. Class 08: so says a pooler that has lost
/// its own connection to it.
fn is_away(code: Option<&str>) -> bool {
    code.is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
}

/// Whether Postgres refused the role or its password.
fn is_refused(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(refused) if matches!(refused.code().as_deref(), Some("28P01" | "28000")))
}

/// A connection that leaves the pool unless it is given back clean.
pub(super) struct Transaction {
    connection: Option<PoolConnection<Postgres>>,
}

impl Transaction {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("a transaction holds its connection until it is given back")
    }

    /// Back to the pool: nothing is open on it.
    ///
    /// Not by a drop, which hands the pool's last look at the connection to a task of its own: that one has no deadline,
    /// so a connection that fell silent keeps its place in the pool for ever, and it outlives the invocation.
    async fn give_back(mut self) {
        if let Some(mut connection) = self.connection.take() {
            // past the deadline it is closed; what was done on it is done
            let _ = timeout(GIVE_BACK_DEADLINE, connection.return_to_pool()).await;
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        // dropping the detached connection closes its socket, and the server rolls back
        drop(self.connection.take().map(PoolConnection::detach));
    }
}

/// Puts the client's deadline around a transaction; past it, the connection is dropped with the future.
pub(super) async fn within<T>(
    step: &'static str,
    deadline: Duration,
    transaction: impl Future<Output = sqlx::Result<T>>,
) -> Result<T, QueueError> {
    match timeout(deadline, transaction).await {
        Ok(answer) => answer.map_err(|error| QueueError::new(step, error)),
        Err(_) => Err(QueueError::Deadline(step)),
    }
}

/// `begin` with its settings, in one round trip. Time-outs are `set local`, since poolers refuse start-up options.
macro_rules! begin {
    ($($setting:literal)*) => {
        concat!(
            "begin;
             set local statement_timeout = '5s';
             set local idle_in_transaction_session_timeout = '5s';
             set local client_connection_check_interval = '1s'",
            $("; set local ", $setting,)*
        )
    };
}

/// Behind a pooler, what is its own transaction elsewhere.
const BEGIN_ALONE: &str = begin!();

/// Claims and finishes. The planner is held to index scans by key: the statistics of a table that was empty a second
/// ago must not choose otherwise.
pub(super) const BEGIN: &str = begin!(
    "lock_timeout = '2s'" "plan_cache_mode = force_generic_plan"
    "enable_seqscan = off" "enable_hashjoin = off" "enable_mergejoin = off"
);

/// The transaction that waits for one lane: [`LANE_LOCK_TIMEOUT`](crate::limits::LANE_LOCK_TIMEOUT).
pub(super) const BEGIN_LANE: &str = begin!("lock_timeout = '250ms'");

/// Enqueues, dismissals and prunes, which wait for lanes.
pub(super) const BEGIN_WAITING: &str = begin!(
    "plan_cache_mode = force_generic_plan" "enable_seqscan = off" "enable_hashjoin = off" "enable_mergejoin = off"
);

/// A look at many rows that must agree with one another.
pub(super) const BEGIN_LOOKING: &str = begin!(
    "transaction_isolation = 'repeatable read'" "transaction_read_only = on" "plan_cache_mode = force_generic_plan"
    "enable_seqscan = off" "enable_hashjoin = off" "enable_mergejoin = off"
);

#[cfg(test)]
mod tests {
    use super::{BEGIN, BEGIN_LANE, BEGIN_WAITING};
    use crate::limits::{ENQUEUE_DEADLINE, LANE_LOCK_TIMEOUT, STATEMENT_DEADLINE};

    #[test]
    fn the_settings_say_what_the_limits_say() {
        assert!(BEGIN_LANE.contains(&format!("lock_timeout = '{}ms'", LANE_LOCK_TIMEOUT.as_millis())));
        for (begin, deadline) in
            [(BEGIN, STATEMENT_DEADLINE), (BEGIN_LANE, STATEMENT_DEADLINE), (BEGIN_WAITING, ENQUEUE_DEADLINE)]
        {
            assert!(begin.contains(&format!("statement_timeout = '{}s'", deadline.as_secs())), "{begin}");
        }
    }
}

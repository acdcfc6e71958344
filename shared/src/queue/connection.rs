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

use super::begin::BEGIN_ALONE;
use super::error::{QueueError, is_refused};
use super::reread::{Reread, Rereading};
use crate::limits::GIVE_BACK_DEADLINE;

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

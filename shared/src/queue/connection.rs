//! Transactions that are never cancelled through the pool.

use std::time::Duration;

use sqlx::PgPool;

/// What a caller of the queue can act on.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// Postgres did not answer in time; the connection was dropped with the transaction.
    #[error("postgres did not answer {0} in time; check the network path and the database's load")]
    Deadline(&'static str),
    /// Postgres can't be reached, or the connection broke.
    #[error("postgres can't be reached: {0}")]
    Away(#[source] sqlx::Error),
    /// Postgres refused a statement.
    #[error("postgres refused {step}: {error}")]
    Refused {
        /// The protocol step that was refused.
        step: &'static str,
        /// What Postgres said.
        #[source]
        error: sqlx::Error,
    },
}

/// The queue, over a pool of its caller's size.
#[derive(Clone)]
pub struct Queue {
    pub(super) pool: PgPool,
    /// Off behind a transaction pooler, which can't keep prepared statements.
    pub(super) prepared: bool,
}

impl Queue {
    /// A queue over `pool`. `prepared` is off behind a transaction pooler.
    pub fn new(pool: PgPool, prepared: bool) -> Self {
        Self { pool, prepared }
    }
}

pub(super) const _UNUSED: Duration = Duration::ZERO;

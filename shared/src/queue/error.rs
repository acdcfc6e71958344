//! What a statement of the queue can fail with.

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

/// Class 57P: the server is shutting down or was told to drop the connection. Class 08: so says a pooler that has lost
/// its own connection to it.
fn is_away(code: Option<&str>) -> bool {
    code.is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
}

/// Whether Postgres refused the role or its password.
pub(super) fn is_refused(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(refused) if matches!(refused.code().as_deref(), Some("28P01" | "28000")))
}

//! Why a migration failed, and what to do.

use std::time::Duration;

use pushwake::function::config::ConfigError;
use pushwake::function::secret::SecretError;

use crate::blocker::Blocker;

/// Why a migration failed. What was applied before it stays; the next run goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The environment is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The password can't be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// Postgres can't be reached, or the connection broke.
    #[error("postgres can't be reached: {0}; check DATABASE_HOST, the security groups and the subnets")]
    Away(#[source] sqlx::Error),
    /// Another migrator holds the lock.
    #[error("another migration ran for all of {waited:?}: {}; deploy again when it has ended", list(.holders))]
    Busy {
        /// The budget.
        waited: Duration,
        /// Who holds the lock.
        holders: Vec<Blocker>,
    },
    /// A table was in use whenever it was tried.
    #[error(
        "migration {migration} found its table in use for all of {waited:?}: {}; end that transaction or wait for it, \
         then deploy again",
        list(.blockers)
    )]
    Blocked {
        /// The file.
        migration: &'static str,
        /// How long it was tried.
        waited: Duration,
        /// Who held the table when it was last seen in use.
        blockers: Vec<Blocker>,
    },
    /// A statement ran until the budget ended.
    #[error("migration {migration} was not done in {budget:?}; give migrate a longer time-out and deploy again")]
    Slow {
        /// The file.
        migration: &'static str,
        /// The budget.
        budget: Duration,
    },
    /// A file is not what was applied under its version.
    #[error("migration {0} was changed after it was applied; restore the file and put the change into a new one")]
    Changed(&'static str),
    /// Postgres refused a statement.
    #[error("postgres refused migration {migration}: {error}")]
    Refused {
        /// The file, or the step before the first one.
        migration: &'static str,
        /// What Postgres said.
        #[source]
        error: sqlx::Error,
    },
    /// Postgres stopped answering.
    #[error("postgres stopped answering within {0:?}; check the network path and the load of the database")]
    Silent(Duration),
    /// The deploy asks for something else.
    #[error("the RequestType is none of Create, Update and Delete")]
    Request,
    /// It panicked; the log says where.
    #[error("migrate panicked; its log says where")]
    Panicked,
}

impl MigrateError {
    pub(crate) fn new(migration: &'static str, error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(_) => Self::Refused { migration, error },
            error => Self::Away(error),
        }
    }
}

/// Blockers in a message.
pub(crate) fn list(blockers: &[Blocker]) -> String {
    match blockers {
        [] => "a session that was gone when it was looked for".to_owned(),
        blockers => blockers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

//! What can go wrong, and what to do about it.

use std::io;
use std::path::PathBuf;

/// Why there is no cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// No Postgres on this machine.
    #[error("{}", super::binaries::INSTALL)]
    NoBinaries,
    /// No Postgres on this machine, and the download failed.
    #[error("no PostgreSQL is installed, and its download failed: {0}")]
    NoDownload(String),
    /// No `PgBouncer` on this machine.
    #[error("no PgBouncer found on this machine: install it (Debian and Ubuntu: `apt-get install pgbouncer`)")]
    NoPooler,
    /// Running as root, and no other user to run Postgres as.
    #[error("postgres refuses to run as root, and /etc/passwd has neither a `postgres` nor a `nobody` user: add one")]
    NoUser,
    /// Running as root, and no temporary folder that the other user may reach.
    #[error("user {user} can't reach a temporary folder: point TMPDIR at one whose parents are readable by all")]
    NoFolder {
        /// The user Postgres would run as.
        user: String,
    },
    /// One of Postgres' programs failed.
    #[error("{program} failed: {said}")]
    Failed {
        /// The program.
        program: PathBuf,
        /// The end of what it said.
        said: String,
    },
    /// A file or a child process.
    #[error("{step}: {error}")]
    Io {
        /// What was tried.
        step: &'static str,
        /// Why it failed.
        #[source]
        error: io::Error,
    },
    /// A database could not be created or dropped.
    #[error("postgres refused to {step}: {error}")]
    Refused {
        /// What was tried.
        step: &'static str,
        /// What Postgres said.
        #[source]
        error: sqlx::Error,
    },
}

impl ClusterError {
    /// For `map_err`.
    pub(super) fn io(step: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { step, error }
    }
}

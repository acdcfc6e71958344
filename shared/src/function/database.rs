//! Connections to the queue's Postgres.

use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgSslMode};

use super::config::{Database, Tls};
use super::secret::{SecretError, Secrets};

/// How long a statement waits for a connection: a database that is away ends an invocation quickly.
const ACQUIRE: Duration = Duration::from_secs(3);

/// How to connect, built from fields, with the password behind its reference.
///
/// Never log the answer: its `Debug` shows the password.
pub async fn connect_options(database: &Database, secrets: &Secrets) -> Result<PgConnectOptions, SecretError> {
    let password = match &database.password {
        // RDS keeps user and password in one JSON object.
        Some(reference) => Some(secrets.read(reference).await?.field("password")),
        None => None,
    };
    let mut options = PgConnectOptions::new_without_pgpass()
        .host(&database.host)
        .port(database.port)
        .database(&database.name)
        .username(&database.user)
        .application_name(database.application)
        .ssl_mode(match database.tls {
            Tls::VerifyFull => PgSslMode::VerifyFull,
            Tls::Off => PgSslMode::Disable,
        });
    if let Some(ca) = &database.ca {
        options = options.ssl_root_cert(ca);
    }
    if let Some(password) = &password {
        options = options.password(password.expose());
    }
    if database.pooler {
        options = options.statement_cache_capacity(0);
    }
    // Statements are the same few files for ever, and their parameters are tokens and bodies.
    Ok(options.disable_statement_logging())
}

/// A pool of at most `max` connections. None is opened yet, so that a database that is away does not fail an init.
pub fn pool(options: PgConnectOptions, max: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(max)
        .acquire_timeout(ACQUIRE)
        // The first use after a thaw may find a dead socket.
        .test_before_acquire(true)
        .connect_lazy_with(options)
}

//! Connections to the queue's Postgres.

use std::sync::Arc;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgSslMode};

use super::config::{Database, Tls};
use super::iam;
use super::secret::{SecretError, Secrets};
use crate::queue::{Queue, Reread};

/// How long a statement waits for a connection: a database that is away ends an invocation quickly.
const ACQUIRE: Duration = Duration::from_secs(3);

/// How to connect, built from fields, with the password behind its reference.
///
/// Never log the answer: its `Debug` shows the password.
pub async fn connect_options(database: &Database, secrets: &Secrets) -> Result<PgConnectOptions, SecretError> {
    let password = match &database.password {
        _ if database.iam => Some(iam::token(database).await?),
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
        // PgBouncer refuses start-up settings that it does not follow.
        options = options.statement_cache_capacity(0).extra_float_digits(None);
    }
    // Statements are the same few files for ever, and their parameters are tokens and bodies.
    Ok(options.disable_statement_logging())
}

/// Queues, each over a pool of its own of at most `max` connections. A password that Postgres refuses is read once
/// more, since it may have been rotated: the invocation goes on with the new one. A token of IAM is signed anew before
/// it ends.
pub async fn queues<const N: usize>(
    database: &Database,
    secrets: &Arc<Secrets>,
    max: u32,
) -> Result<[Queue; N], SecretError> {
    let options = connect_options(database, secrets).await?;
    let (database, secrets) = (Arc::new(database.clone()), Arc::clone(secrets));
    let (prepared, fresh) = (!database.pooler, database.iam.then_some(iam::FRESH));
    let reread: Reread = Arc::new(move || {
        let (database, secrets) = (Arc::clone(&database), Arc::clone(&secrets));
        Box::pin(async move {
            let read = connect_options(&database, &secrets).await;
            read.inspect_err(|error| tracing::warn!(%error, "the password can't be read again")).ok()
        })
    });
    Ok(std::array::from_fn(|_| Queue::new(pool(options.clone(), max), prepared).rereading(Arc::clone(&reread), fresh)))
}

/// A pool of at most `max` connections. None is opened yet, so that a database that is away fails the statement that needs it.
pub fn pool(options: PgConnectOptions, max: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(max)
        .acquire_timeout(ACQUIRE)
        // The first use after a thaw may find a dead socket.
        .test_before_acquire(true)
        .connect_lazy_with(options)
}

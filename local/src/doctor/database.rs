//! The database: reachable, migrated, its clock right, and large enough.

use std::time::Duration;

use migrate::MIGRATIONS;
use pushwake::function::config::Database;
use pushwake::function::database::connect_options;
use pushwake::function::secret::Secrets;
use pushwake::limits::{DRAIN_CONNECTIONS, DRAINS, MIGRATE_CONNECTIONS, SCHEDULE_CONNECTIONS};
use sqlx::postgres::PgConnection;
use sqlx::{ConnectOptions, Connection, Error};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout};

use super::Finding;

/// For all of it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Providers refuse tokens that are off by more than minutes.
const OFFSET: i64 = 30;

pub(super) async fn look(database: &Database) -> Vec<Finding> {
    let options = match connect_options(database, &Secrets::default()).await {
        Ok(options) => options,
        Err(error) => {
            let fix = if database.iam { "give it AWS_REGION and AWS credentials" } else { "correct DATABASE_PASSWORD" };
            return vec![Finding::wrong("database", error.to_string(), fix)];
        }
    };
    let place = format!("{}:{}", database.host, database.port);
    let looked = timeout(PATIENCE, async {
        let mut connection = options.connect().await?;
        let findings = ask(&mut connection, &place).await?;
        connection.close().await?;
        Ok(findings)
    });
    match looked.await {
        Ok(Ok(findings)) => findings,
        Ok(Err(error)) => vec![refused(database, &place, &error)],
        Err(_) => {
            let fix = "check DATABASE_HOST, the security groups and the route to it";
            vec![Finding::wrong("database", format!("{place} does not answer within {PATIENCE:?}"), fix)]
        }
    }
}

async fn ask(connection: &mut PgConnection, place: &str) -> Result<Vec<Finding>, Error> {
    let before = Instant::now();
    let (version, now, connections): (String, OffsetDateTime, i64) = sqlx::query_as(
        "select current_setting('server_version'), clock_timestamp(),
            current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint",
    )
    .fetch_one(&mut *connection)
    .await?;
    let took = before.elapsed();
    let mut findings = vec![Finding::ok("database", format!("PostgreSQL {version} at {place} answers in {took:.0?}"))];
    findings.push(offset((now - OffsetDateTime::now_utc()).whole_seconds()));
    findings.push(budget(connections));
    findings.push(schema(connection).await?);
    Ok(findings)
}

fn offset(seconds: i64) -> Finding {
    let seen = format!(
        "the database's clock is {} s {} this machine's",
        seconds.abs(),
        if seconds < 0 { "behind" } else { "ahead of" }
    );
    if seconds.abs() <= OFFSET {
        return Finding::ok("clock", seen);
    }
    Finding::wrong("clock", seen, "tokens for providers are made by the database's clock: correct whichever is wrong")
}

fn budget(connections: i64) -> Finding {
    let fixed = DRAINS as i64 * i64::from(DRAIN_CONNECTIONS) + i64::from(SCHEDULE_CONNECTIONS + MIGRATE_CONNECTIONS);
    let seen =
        format!("{connections} for everybody; drains, schedule and migrate take {fixed}, each enqueue instance 1");
    if connections > fixed {
        return Finding::ok("connections", seen);
    }
    Finding::wrong("connections", seen, "raise max_connections")
}

async fn schema(connection: &mut PgConnection) -> Result<Finding, Error> {
    let newest = MIGRATIONS.last().map_or(0, |migration| migration.version);
    let applied: Result<Option<i32>, _> =
        sqlx::query_scalar("select max(version) from schema_migrations").fetch_one(connection).await;
    let fix = "invoke migrate, as a deploy does";
    match applied {
        Ok(Some(version)) if version == newest => Ok(Finding::ok("schema", format!("version {version}"))),
        Ok(Some(version)) if version > newest => {
            Ok(Finding::ok("schema", format!("version {version}; this revision needs {newest}")))
        }
        Ok(version) => {
            let seen = format!("version {} where this revision needs {newest}", version.unwrap_or_default());
            Ok(Finding::wrong("schema", seen, fix))
        }
        Err(Error::Database(error)) if error.code().as_deref() == Some("42P01") => {
            Ok(Finding::wrong("schema", "there are no tables yet", fix))
        }
        Err(Error::Database(error)) if error.code().as_deref() == Some("42501") => {
            Ok(Finding::warning("schema", "this role may not read its version", "look as the role of migrate"))
        }
        Err(error) => Err(error),
    }
}

/// What Postgres or the way to it said. Its message may name role and database, never the password.
fn refused(database: &Database, place: &str, error: &Error) -> Finding {
    let code = match error {
        Error::Database(refused) => refused.code().map(std::borrow::Cow::into_owned),
        _ => None,
    };
    let fix = match (code.as_deref(), error) {
        (Some("28P01" | "28000"), _) if database.iam => {
            "grant rds_iam to DATABASE_USER, and rds-db:connect to whoever signs"
        }
        (Some("28P01" | "28000"), _) => "check DATABASE_USER, and what DATABASE_PASSWORD refers to",
        (Some("3D000"), _) => "create the database, or correct DATABASE_NAME",
        (Some("53300"), _) => "raise max_connections, or end idle connections",
        (_, Error::Tls(_)) => "set DATABASE_CA to the CA that signed its certificate, and connect by the name in it",
        _ => "check DATABASE_HOST, DATABASE_PORT, the security groups, and that it runs",
    };
    Finding::wrong("database", format!("{place} can't be reached: {error}"), fix)
}

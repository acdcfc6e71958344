//! What the tests stand on: an empty database each, a migration of their own, and transactions in its way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use local::postgres::{Cluster, Options};
use migrate::{Applied, MigrateError, Migration, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection};
use tokio::sync::OnceCell;

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
static CREATED: AtomicUsize = AtomicUsize::new(0);

/// A budget that no test is meant to spend.
pub const AMPLE: Duration = Duration::from_mins(1);

/// An empty database, and how migrate connects to it.
pub async fn empty() -> PgConnectOptions {
    let start = || async { Cluster::start(Options::default()).await.expect("a private cluster starts") };
    let cluster = CLUSTER.get_or_init(start).await;
    let name = format!("migrate_{}", CREATED.fetch_add(1, Ordering::Relaxed));
    cluster.create_database(&name).await.expect("a database");
    cluster.connect_options(&name).application_name("migrate")
}

/// Migrations of a test, counted from 1.
pub fn migrations(files: &[&'static str]) -> Vec<Migration> {
    let names = ["0001_first", "0002_second", "0003_third"];
    (1..).zip(names).zip(files).map(|((version, name), sql)| Migration { version, name, sql }).collect()
}

/// One run over them.
pub async fn run(
    options: &PgConnectOptions,
    migrations: &[Migration],
    budget: Duration,
) -> Result<Applied, MigrateError> {
    Migrator { options, migrations, budget }.run().await
}

/// The test's own connection.
pub async fn connect(options: &PgConnectOptions, name: &str) -> PgConnection {
    PgConnection::connect_with(&options.clone().application_name(name)).await.expect("the test's own connection")
}

/// Runs a statement of the test's own.
pub async fn execute(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.expect(sql);
}

/// Reads one answer to a question of the test's own.
pub async fn ask(options: &PgConnectOptions, sql: &str) -> bool {
    let mut connection = connect(options, "test").await;
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.expect(sql)
}

/// An open transaction called `name` that did `sql`.
pub async fn hold(options: &PgConnectOptions, name: &str, sql: &str) -> PgConnection {
    let mut connection = connect(options, name).await;
    execute(&mut connection, &format!("begin; {sql}")).await;
    connection
}

/// Waits until a backend called `name` waits for a lock.
pub async fn until_blocked(options: &PgConnectOptions, name: &str) {
    let mut connection = connect(options, "test").await;
    let blocked = "select exists (select from pg_stat_activity where datname = current_database()
        and application_name = $1 and wait_event_type = 'Lock')";
    let waited = tokio::time::timeout(AMPLE, async {
        while !sqlx::query_scalar::<_, bool>(blocked).bind(name).fetch_one(&mut connection).await.expect(blocked) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.expect("somebody waits");
}

//! docs/database.sql: an owner who migrates, and an application role whose rights suffice for every statement, and end there.

use std::time::Duration;

use pushwake::queue::statements::ALL;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use tests::database::cluster;
use tests::product::{Product, options};
use tokio::sync::OnceCell;

use crate::page::text;

/// What every test of this page copies. Nobody connects to it once the owner has migrated it: that would refuse copies.
const OWNED: &str = "owned";

/// Roles belong to the whole cluster: they are made once, for all tests of this page.
async fn migrated() {
    static MIGRATED: OnceCell<()> = OnceCell::const_new();
    let cluster = cluster().await;
    let migrate = || async {
        cluster.create_database(OWNED).await.expect("a database");
        let admin = cluster.connect_options(OWNED);
        // Whom RDS gives out: no superuser, but it makes roles and owns the database.
        let administrator = "create role administrator login createrole createdb";
        let theirs = format!("{administrator}; alter database {OWNED} owner to administrator");
        run(&admin, &theirs).await.expect("an administrator");
        let admin = admin.username("administrator");
        let sql = text("docs/database.sql");
        // Twice, as whoever is not sure would.
        for _ in 0..2 {
            run(&admin, &sql).await.expect("an administrator applies the roles");
        }
        let applied = migrate::apply(&admin.username("pushwake_owner"), Duration::from_mins(1)).await;
        applied.expect("the owner migrates");
    };
    MIGRATED.get_or_init(migrate).await;
}

/// A copy, as the application role sees it.
async fn copy(name: &str) -> PgConnectOptions {
    migrated().await;
    let cluster = cluster().await;
    cluster.clone_database(OWNED, name).await.expect("a copy");
    cluster.connect_options(name).username("pushwake_app")
}

async fn run(options: &PgConnectOptions, sql: &str) -> sqlx::Result<()> {
    let mut connection = PgConnection::connect_with(options).await?;
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
    connection.close().await
}

/// Has Postgres check the rights of a statement, without running it.
async fn explain(connection: &mut PgConnection, statement: &str) -> sqlx::Result<()> {
    connection.execute(AssertSqlSafe(format!("prepare looked_at as {statement}"))).await?;
    let count = "select coalesce(cardinality(parameter_types), 0) from pg_prepared_statements where name = 'looked_at'";
    let parameters: i32 = connection.fetch_one(count).await?.get(0);
    let nulls = vec!["null"; parameters as usize].join(", ");
    let call = if parameters == 0 { String::new() } else { format!("({nulls})") };
    let explained = connection.execute(AssertSqlSafe(format!("explain execute looked_at{call}"))).await;
    connection.execute("deallocate looked_at").await?;
    explained.map(drop)
}

#[tokio::test]
async fn the_application_role_has_the_rights_that_every_statement_needs() {
    let options = copy("rights").await;
    let mut connection = PgConnection::connect_with(&options).await.expect("the application role connects");
    // A plan for nulls would leave out what nulls never reach.
    connection.execute("set plan_cache_mode = force_generic_plan").await.expect("a setting");
    for (name, statement) in ALL {
        let explained = explain(&mut connection, statement).await;
        assert!(explained.is_ok(), "{name}: {explained:?}");
    }
    // The look itself refuses what the role may not do.
    let forbidden = explain(&mut connection, "select passwd from pg_shadow").await;
    assert!(forbidden.is_err_and(|error| error.to_string().contains("permission denied")));
}

#[tokio::test]
async fn the_application_role_measures_the_snapshots_of_every_role_if_it_may_and_its_own_otherwise() {
    let options = copy("snapshots").await;
    let theirs = cluster().await.connect_options("snapshots");
    let mut holder = PgConnection::connect_with(&theirs).await.expect("another role connects");
    holder.execute("begin isolation level repeatable read").await.expect("a transaction");
    holder.execute("select from lanes").await.expect("its snapshot");
    let mut app = PgConnection::connect_with(&options).await.expect("the application role connects");
    let measure = ALL.iter().find(|(name, _)| *name == "measure_snapshot").expect("a statement").1;
    let granted = "select pg_has_role('pushwake_app', 'pg_read_all_stats', 'member')";
    let granted: bool = app.fetch_one(granted).await.expect("a look").get(0);
    let seen: Option<f64> = app.fetch_one(measure).await.expect("a look").get(0);
    // Since Postgres 16 an administrator passes on only what was given to it for that, as RDS does.
    assert_eq!(seen.is_some_and(|age| age >= 0.0), granted, "{seen:?}");
    holder.execute("rollback").await.expect("released");
    let seen: Option<f64> = app.fetch_one(measure).await.expect("a look").get(0);
    assert_eq!(seen, None);
}

#[tokio::test]
async fn the_application_role_has_time_outs_and_can_not_change_the_schema() {
    let options = copy("schema").await;
    for ddl in
        ["create table more (id int)", "drop table lanes", "truncate lanes", "alter table lanes add column more int"]
    {
        let refused = run(&options, ddl).await.expect_err(ddl).to_string();
        assert!(refused.contains("permission denied") || refused.contains("must be owner"), "{ddl}: {refused}");
    }
    let mut connection = PgConnection::connect_with(&options).await.expect("the application role connects");
    for name in ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] {
        let value: String = connection.fetch_one(AssertSqlSafe(format!("show {name}"))).await.expect(name).get(0);
        assert_ne!(value, "0", "{name}");
    }
}

#[tokio::test]
async fn the_sql_of_the_operations_page_runs_as_the_application_role() {
    let options = copy("operations").await;
    let page = text("docs/operations.md");
    let blocks: Vec<_> = page.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 5, "{}", blocks.len());
    for block in blocks {
        run(&options, block).await.unwrap_or_else(|error| panic!("{error}: {block}"));
    }
}

#[tokio::test]
async fn the_product_delivers_as_the_application_role() {
    migrated().await;
    let mut options = options().await;
    options.template = Some(OWNED.to_owned());
    options.environment.push(("DATABASE_USER".to_owned(), "pushwake_app".to_owned()));
    let product = Product::with(options).await;
    product.queue(1, 0..20).await;
    product.until(|tally| tally.delivered >= 20).await;
    product.until_quiet().await;
    product.schedule().await;
    let as_role = |role: &str| {
        let functions = "application_name in ('enqueue', 'drain', 'schedule') and datname = current_database()";
        format!("select count(*) from pg_stat_activity where {functions} and usename {role}")
    };
    assert!(product.database.count(&as_role("= 'pushwake_app'")).await >= 3);
    assert_eq!(product.database.count(&as_role("<> 'pushwake_app'")).await, 0);
    assert_eq!((product.left().await, product.errors()), (0, vec![]));
    let owner = "select count(*) from pg_tables where schemaname = 'public' and tableowner <> 'pushwake_owner'";
    assert_eq!(product.database.count(owner).await, 0);
    product.stop().await;
}

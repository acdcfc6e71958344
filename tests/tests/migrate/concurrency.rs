//! Several migrators at once.

use std::time::Duration;

use migrate::{MIGRATIONS, MigrateError, Migration};
use pushwake::queue::lock_keys;
use sqlx::postgres::PgConnectOptions;

use crate::ground::{AMPLE, ask, connect, empty, execute, hold, migrations, run};

/// Runs four at once; one applies everything, all succeed.
async fn four_at_once(options: &PgConnectOptions, migrations: &[Migration]) {
    let one = || run(options, migrations, AMPLE);
    let (a, b, c, d) = tokio::join!(one(), one(), one(), one());
    let runs: Vec<_> = [a, b, c, d].into_iter().map(|run| run.expect("every run succeeds")).collect();
    let everything: Vec<_> = migrations.iter().map(|migration| migration.name).collect();
    assert_eq!(runs.iter().filter(|run| run.applied == everything).count(), 1, "{runs:?}");
    assert_eq!(runs.iter().filter(|run| run.applied.is_empty()).count(), 3, "{runs:?}");
    assert!(runs.iter().all(|run| run.version == migrations.last().map_or(0, |last| last.version)), "{runs:?}");
}

#[tokio::test]
async fn c5s_four_migrators_at_once_on_an_empty_database_one_applies_and_all_succeed() {
    let options = empty().await;
    four_at_once(&options, MIGRATIONS).await;
    assert!(ask(&options, "select count(*) = 0 from lanes").await);
}

#[tokio::test]
async fn c5s_the_waiting_migrators_do_not_hang_an_index_that_is_built_concurrently() {
    let options = empty().await;
    let build = "-- no transaction\ncreate index concurrently if not exists things_n on things (n);\n";
    let fill = "create table things as select n from generate_series(1, 200000) n";
    four_at_once(&options, &migrations(&[fill, build])).await;
    assert!(ask(&options, "select indisvalid from pg_index where indexrelid = 'things_n'::regclass").await);
}

#[tokio::test]
async fn c5s_the_lock_outlives_the_time_outs_of_idle_transactions_and_short_statements() {
    let options = empty().await;
    let mut admin = connect(&options, "test").await;
    let name = options.get_database().expect("a database");
    execute(&mut admin, &format!("alter database {name} set idle_in_transaction_session_timeout = '50ms'")).await;
    execute(&mut admin, &format!("alter database {name} set statement_timeout = '400ms'")).await;
    // A second migrator that got in meanwhile would fail of the table that is there.
    four_at_once(&options, &migrations(&["create table slow (); select pg_sleep(1)"])).await;
}

#[tokio::test]
async fn a_lock_that_is_never_let_go_ends_in_an_error_that_names_who_holds_it() {
    let options = empty().await;
    let lock = format!("select pg_advisory_xact_lock({})", lock_keys::MIGRATE);
    let _held = hold(&options, "stuck deploy", &lock).await;
    let error = run(&options, MIGRATIONS, Duration::from_secs(2)).await.expect_err("the lock is held");
    let MigrateError::Busy { holders, .. } = &error else { panic!("{error}") };
    assert_eq!(holders.len(), 1, "{error}");
    assert!(error.to_string().contains("(stuck deploy, idle in transaction, in its transaction since 2"), "{error}");
}

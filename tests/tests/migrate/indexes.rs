//! Indexes that are built concurrently, and what a failed build leaves behind.

use std::time::Duration;

use migrate::MigrateError;

use crate::ground::{AMPLE, ask, connect, empty, execute, hold, migrations, run};

const THINGS: &str = "create table things as select n % 10 as n from generate_series(1, 20) n";
const BUILD: &str = "-- no transaction\n\
    create unique index concurrently if not exists things_n on things (n);\n\
    create index concurrently if not exists things_again on things (n);\n";
const VALID: &str = "select bool_and(indisvalid) and count(*) = 2 from pg_index where indrelid = 'things'::regclass";
const INVALID: &str = "select exists (select from pg_index where indrelid = 'things'::regclass and not indisvalid)";

#[tokio::test]
async fn c6s_an_index_left_invalid_by_a_failed_build_is_healed_by_the_next_run() {
    let options = empty().await;
    let migrations = migrations(&[THINGS, BUILD]);
    let error = run(&options, &migrations, AMPLE).await.expect_err("the numbers are not unique");
    assert!(matches!(error, MigrateError::Refused { migration: "0002_second", .. }), "{error}");
    assert!(ask(&options, INVALID).await, "the test is about an invalid index");
    let mut test = connect(&options, "test").await;
    execute(&mut test, "delete from things where ctid not in (select min(ctid) from things group by n)").await;
    assert_eq!(run(&options, &migrations, AMPLE).await.expect("unique now").applied, ["0002_second"]);
    assert!(ask(&options, VALID).await);
}

#[tokio::test]
async fn c6s_a_build_that_met_a_writer_names_it_and_is_healed_by_the_next_run() {
    let options = empty().await;
    let migrations = migrations(&["create table things as select n from generate_series(1, 20) n", BUILD]);
    run(&options, &migrations[..1], AMPLE).await.expect("the table");
    let mut writer = hold(&options, "writer", "insert into things values (21)").await;
    let error = run(&options, &migrations, Duration::from_secs(4)).await.expect_err("a writer is in the way");
    let MigrateError::Blocked { blockers, .. } = &error else { panic!("{error}") };
    assert!(!blockers.is_empty() && error.to_string().contains("(writer, idle in transaction, "), "{error}");
    assert!(ask(&options, INVALID).await, "the test is about an invalid index");
    execute(&mut writer, "commit").await;
    assert_eq!(run(&options, &migrations, AMPLE).await.expect("nobody is in the way").applied, ["0002_second"]);
    assert!(ask(&options, VALID).await);
}

#[tokio::test]
async fn an_invalid_index_that_no_pending_migration_names_is_left_alone() {
    let options = empty().await;
    run(&options, &migrations(&[THINGS]), AMPLE).await.expect("the table");
    let mut test = connect(&options, "test").await;
    let built = sqlx::raw_sql("create unique index concurrently theirs on things (n)").execute(&mut test).await;
    assert!(built.is_err() && ask(&options, INVALID).await, "the test is about an invalid index");
    let other = "-- no transaction\ncreate index concurrently if not exists ours on things (n);";
    run(&options, &migrations(&[THINGS, other]), AMPLE).await.expect("another index");
    assert!(ask(&options, INVALID).await);
}

#[tokio::test]
async fn a_build_goes_on_where_the_one_before_it_was_cut_off() {
    let options = empty().await;
    run(&options, &migrations(&[THINGS]), AMPLE).await.expect("the table");
    let mut test = connect(&options, "test").await;
    execute(&mut test, "delete from things where ctid not in (select min(ctid) from things group by n)").await;
    // As after a crash between the first statement and the second.
    execute(&mut test, "create unique index things_n on things (n)").await;
    let applied = run(&options, &migrations(&[THINGS, BUILD]), AMPLE).await.expect("the rest");
    assert_eq!(applied.applied, ["0002_second"]);
    assert!(ask(&options, VALID).await);
}

//! What a run makes of the schema it finds.

use std::time::{Duration, Instant};

use migrate::{MIGRATIONS, MigrateError};

use crate::ground::{AMPLE, ask, connect, empty, execute, migrations, run};

#[tokio::test]
async fn a_second_run_applies_nothing() {
    let options = empty().await;
    let names: Vec<_> = MIGRATIONS.iter().map(|migration| migration.name).collect();
    let version = MIGRATIONS.len() as i32;
    let first = migrate::apply(&options, AMPLE).await.expect("an empty database");
    assert_eq!((first.applied, first.version), (names, version));
    let second = migrate::apply(&options, AMPLE).await.expect("a migrated one");
    assert_eq!((second.applied, second.version), (vec![], version));
}

#[tokio::test]
async fn a_newer_schema_than_ours_is_success_and_is_left_alone() {
    let options = empty().await;
    let newer = migrations(&["create table one ()", "create table two ()"]);
    run(&options, &newer, AMPLE).await.expect("the newer revision");
    // The rolled-back one, whose first file even differs.
    let older = migrations(&["create table another ()"]);
    let run = run(&options, &older, AMPLE).await.expect("a rollback");
    assert_eq!((run.applied, run.version), (vec![], 2));
    assert!(ask(&options, "select to_regclass('another') is null and to_regclass('two') is not null").await);
}

#[tokio::test]
async fn a_migration_that_was_changed_after_it_was_applied_is_refused() {
    let options = empty().await;
    run(&options, &migrations(&["create table one ()"]), AMPLE).await.expect("an empty database");
    let changed = migrations(&["create table one (n integer)", "create table two ()"]);
    let error = run(&options, &changed, AMPLE).await.expect_err("the first file differs");
    assert!(matches!(error, MigrateError::Changed("0001_first")), "{error}");
    assert!(ask(&options, "select to_regclass('two') is null").await);
}

#[tokio::test]
async fn a_migration_that_fails_leaves_nothing_of_itself_and_everything_before_it() {
    let options = empty().await;
    let failing = migrations(&["create table one ()", "create table two (); select 1 / 0", "create table three ()"]);
    let error = run(&options, &failing, AMPLE).await.expect_err("a division by zero");
    assert!(matches!(error, MigrateError::Refused { migration: "0002_second", .. }), "{error}");
    let left = "select to_regclass('one') is not null and to_regclass('two') is null
        and to_regclass('three') is null and array(select version from schema_migrations) = array[1]";
    assert!(ask(&options, left).await);
    let fixed = migrations(&["create table one ()", "create table two ()", "create table three ()"]);
    assert_eq!(run(&options, &fixed, AMPLE).await.expect("the fixed file").applied, ["0002_second", "0003_third"]);
}

#[tokio::test]
async fn a_migration_that_is_slower_than_the_budget_ends_with_it() {
    let options = empty().await;
    let start = Instant::now();
    let slow = migrations(&["create table one (); select pg_sleep(60)"]);
    let error = run(&options, &slow, Duration::from_secs(1)).await.expect_err("no time");
    assert!(matches!(error, MigrateError::Slow { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let mut test = connect(&options, "test").await;
    execute(&mut test, "create table one ()").await;
}

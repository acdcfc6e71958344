//! Migrations against transactions that use the table.

use std::time::Duration;

use migrate::{MIGRATIONS, MigrateError, Migration};
use pushwake::contract::AppId;
use pushwake::queue::{Claim, Queue, Want};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::ground::{AMPLE, ask, empty, execute, hold, run, until_blocked};

/// The queue and a migration behind it that needs the lanes for itself.
async fn queue_with_a_change() -> (PgConnectOptions, Vec<Migration>) {
    let options = empty().await;
    run(&options, MIGRATIONS, AMPLE).await.expect("the queue");
    let version = MIGRATIONS.len() as i32 + 1;
    let change = Migration { version, name: "9999_change", sql: "alter table lanes add column change integer" };
    (options, [MIGRATIONS, &[change]].concat())
}

/// What every insert, update and claim takes.
const WRITER: &str = "lock table lanes in row exclusive mode";
const CHANGED: &str =
    "select exists (select from pg_attribute where attrelid = 'lanes'::regclass and attname = 'change')";

#[tokio::test]
async fn c6s_a_migration_waits_for_a_writer_and_is_applied_when_it_ends() {
    let (options, migrations) = queue_with_a_change().await;
    let mut writer = hold(&options, "writer", WRITER).await;
    let (applied, ()) = tokio::join!(run(&options, &migrations, AMPLE), async {
        // The second time it is a retry.
        until_blocked(&options, "migrate").await;
        tokio::time::sleep(pushwake::limits::MIGRATE_LOCK_TIMEOUT).await;
        until_blocked(&options, "migrate").await;
        execute(&mut writer, "commit").await;
    });
    assert_eq!(applied.expect("the writer ended").applied, ["9999_change"]);
    assert!(ask(&options, CHANGED).await);
}

#[tokio::test]
async fn c6s_a_writer_that_never_ends_is_named_and_a_rerun_goes_on() {
    let (options, migrations) = queue_with_a_change().await;
    let mut writer = hold(&options, "nightly report", WRITER).await;
    let error = run(&options, &migrations, Duration::from_secs(3)).await.expect_err("the table is in use");
    let MigrateError::Blocked { migration: "9999_change", blockers, .. } = &error else { panic!("{error}") };
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut writer).await.expect("its pid");
    assert_eq!(blockers.iter().map(|blocker| blocker.pid).collect::<Vec<_>>(), [pid], "{error}");
    assert!(error.to_string().contains("(nightly report, idle in transaction, in its transaction since 2"), "{error}");
    assert!(!ask(&options, CHANGED).await);
    execute(&mut writer, "rollback").await;
    assert_eq!(run(&options, &migrations, AMPLE).await.expect("nobody is in the way").applied, ["9999_change"]);
}

#[tokio::test]
async fn c6s_claims_keep_flowing_while_a_migration_waits_for_their_table() {
    let (options, migrations) = queue_with_a_change().await;
    let _writer = hold(&options, "writer", WRITER).await;
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options.clone().application_name("drain"));
    let queue = Queue::new(pool, true);
    let apps = [AppId::from("ios")];
    let claims = async {
        let mut claims = 0;
        loop {
            let claim = queue.claim(&Want { apps: &apps, n: 8, turn: claims, probe: false }).await;
            assert!(matches!(claim, Ok(Claim::Empty)), "claim {claims}: {claim:?}");
            claims += 1;
            if claims > 20 {
                until_blocked(&options, "migrate").await;
            }
            if claims > 25 {
                return;
            }
        }
    };
    // The claims behind a waiting migration wait with it, and then pass.
    tokio::select! {
        failed = run(&options, &migrations, AMPLE) => panic!("{failed:?}"),
        () = claims => {}
    }
}

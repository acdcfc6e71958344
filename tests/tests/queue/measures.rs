//! Measures: what they say, and that they read a few pages in front of any backlog.

use std::time::Duration;

use pushwake::queue::statements::ALL;
use tests::barrier::{Held, until};
use tests::database::Database;

use crate::inspect_cost::{pages, plan};

/// Lanes of three apps, all due; the oldest of the first are held by drains, and the last is paused.
async fn plant(lanes: usize) -> Database {
    let database = Database::new().await;
    database
        .execute(&format!(
            "insert into lanes (app, device, head, head_at, due_at)
             select 'app-' || n % 3, 'd' || n, n, due, due
             from (select n, clock_timestamp() - interval '10 s' - n * interval '1 ms' as due
                 from generate_series(1, {lanes}) as n) as planted;
             update lanes set lease_until = clock_timestamp() + interval '1 h', lease_token = gen_random_uuid()
             where app = 'app-0' and head > {lanes} - 3000;
             insert into pauses (app, until, reason, step)
             values ('app-2', clock_timestamp() + interval '1 h', 'Shutdown', 1),
                 ('app-9', clock_timestamp() - interval '1 h', 'Shutdown', 1)"
        ))
        .await;
    database.execute("vacuum analyze").await;
    database
}

#[tokio::test]
async fn the_oldest_unleased_head_of_each_app_is_measured_and_a_pause_until_the_app_has_worked() {
    let database = plant(30_000).await;
    let queue = database.queue(1);
    let measured = queue.measure_apps().await.expect("a look");
    let apps: Vec<_> = measured.iter().map(|app| (app.app.as_str(), app.paused)).collect();
    assert_eq!(apps, [("app-0", false), ("app-1", false), ("app-2", true), ("app-9", false)]);
    let oldest = |n: usize| measured[n].oldest_due;
    assert!(oldest(0) >= Duration::from_secs(30), "{measured:?}");
    assert!(oldest(1) >= oldest(0) + Duration::from_secs(2), "what is leased is being seen to: {measured:?}");
    assert!(oldest(2) >= Duration::from_secs(40) && oldest(3).is_zero(), "{measured:?}");
    database.execute("update pauses set until = clock_timestamp() where app = 'app-2'").await;
    let measured = queue.measure_apps().await.expect("a look");
    assert!(measured[2].paused, "its time is over, and what waits has not gone out");
    database.execute("update lanes set due_at = clock_timestamp() + interval '1 h' where app = 'app-2'").await;
    let measured = queue.measure_apps().await.expect("a look");
    assert!(!measured[2].paused, "what is scheduled for later waits for its time and for no probe");
}

#[tokio::test]
async fn an_empty_queue_is_measured_too() {
    let database = Database::new().await;
    let queue = database.queue(1);
    assert_eq!(queue.measure_apps().await.expect("a look"), []);
    assert!(queue.measure_snapshot().await.is_ok() && queue.measure_tuples().await.is_ok());
}

#[tokio::test]
async fn a_measure_of_200_000_lanes_reads_indexes_and_a_few_pages() {
    let database = plant(200_000).await;
    // Of the pages of leased lanes, one each: as many as all drains hold at most.
    let plan = plan(&database, "measure_apps", "").await;
    for table in ["lanes", "notifications"] {
        assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
    }
    assert!(pages(&plan) <= 3_000 + 200, "{} pages: {plan}", pages(&plan));
}

#[tokio::test]
async fn dead_rows_are_those_of_every_table_of_ours() {
    let database = Database::new().await;
    let statement = ALL.iter().find(|(name, _)| *name == "measure_tuples").expect("a statement").1;
    let ours = "select tablename::text from pg_tables where schemaname = current_schema() and tablename !~ '^schema_'";
    let tables: Vec<String> = sqlx::query_scalar(ours).fetch_all(&database.pool).await.expect("the tables");
    assert!(tables.len() >= 8, "{tables:?}");
    assert!(tables.iter().all(|table| statement.contains(&format!("'{table}'"))), "{tables:?}");
    let queue = database.queue(1);
    database.execute("alter table quotas set (autovacuum_enabled = off)").await;
    database.execute("insert into quotas select 's' || n, clock_timestamp(), 1 from generate_series(1, 500) n").await;
    database.execute("delete from quotas").await;
    until(|| Box::pin(async { queue.measure_tuples().await.expect("a look") >= 500 })).await;
}

#[tokio::test]
async fn the_oldest_snapshot_is_that_of_whoever_keeps_one_and_no_vacuum_counts() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let held = Held::new(&database, "set transaction isolation level repeatable read; select 1").await;
    let older = Duration::from_millis(20);
    until(|| Box::pin(async { queue.measure_snapshot().await.expect("a look") >= older })).await;
    held.roll_back().await;
    until(|| Box::pin(async { queue.measure_snapshot().await.expect("a look") < older })).await;
}

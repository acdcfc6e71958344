//! Prunes: what is deleted, what is left alone, and two at once.

use std::time::Duration;

use pushwake::limits::PRUNE_BATCH;
use pushwake::queue::Pruned;
use tests::barrier::Held;
use tests::database::Database;
use tests::drive::{self, event, head, heads};

const BUDGET: Duration = Duration::from_secs(30);

async fn plant(database: &Database, device: &str, n: i64, expired: &str) {
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select 'ios-prod', '{device}', 'tests', 'old-' || n, 'alert', 1, '{{}}', '{{}}',
                 now() - interval '1 hour' + n * interval '1 ms', now() - interval '{expired}' + n * interval '1 ms'
             from generate_series(1, {n}) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select distinct on (app, device) app, device, seq, send_at, send_at
             from notifications where device = '{device}' order by app, device, send_at, seq"
        ))
        .await;
}

#[tokio::test]
async fn expired_rows_go_and_a_lane_gets_its_next_live_head() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for n in 0..4 {
        drive::queue(&queue, &format!("E{n}"), "d").await;
    }
    drive::queue(&queue, "F", "e").await;
    database.execute("update notifications set expires_at = now() where event in ('E0', 'E2', 'F')").await;
    let pruned = queue.prune(BUDGET).await.unwrap();
    assert_eq!(pruned, Pruned { expired: 3, ..Pruned::default() });
    assert_eq!(database.count("select count(*) from lanes").await, 1, "a lane without rows is removed");
    assert_eq!(event(&head(&queue).await), "E1");
}

#[tokio::test]
async fn c62_rows_behind_a_leased_lane_are_pruned() {
    let database = Database::new().await;
    plant(&database, "leased", 5_000, "30 min").await;
    plant(&database, "other", 3_000, "20 min").await;
    database.execute("update lanes set lease_until = now() + interval '1 min' where device = 'leased'").await;
    let queue = database.queue(1);
    assert_eq!(queue.prune(BUDGET).await.unwrap().expired, 3_000);
    assert_eq!(database.count("select count(*) from notifications where device = 'leased'").await, 5_000);
    database.execute("update lanes set lease_until = '-infinity'").await;
    assert_eq!(queue.prune(BUDGET).await.unwrap().expired, 5_000);
    assert_eq!(database.count("select count(*) from lanes").await, 0);
}

#[tokio::test]
async fn a_locked_lane_is_passed_over() {
    let database = Database::new().await;
    plant(&database, "a", 10, "30 min").await;
    plant(&database, "b", 10, "30 min").await;
    let held = Held::new(&database, "select from lanes where device = 'a' for update").await;
    assert_eq!(database.queue(1).prune(BUDGET).await.unwrap().expired, 10);
    held.roll_back().await;
}

#[tokio::test]
async fn a_prune_that_runs_out_of_time_says_that_it_is_saturated() {
    let database = Database::new().await;
    plant(&database, "a", 3 * PRUNE_BATCH, "30 min").await;
    let pruned = database.queue(1).prune(Duration::from_millis(1)).await.unwrap();
    assert!(pruned.saturated && pruned.expired < 3 * PRUNE_BATCH as u64, "{pruned:?}");
}

#[tokio::test]
async fn a_prune_begins_no_statement_once_its_time_is_over() {
    let database = Database::new().await;
    let queue = database.queue(1);
    plant(&database, "a", 1, "30 min").await;
    drive::queue(&queue, "E", "b").await;
    database
        .execute(
            "update receipts set keep_until = now() - interval '1 s';
             create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(1.2); return null; end';
             create trigger slow after delete on notifications for each statement execute function slow()",
        )
        .await;
    let pruned = queue.prune(Duration::from_secs(1)).await.unwrap();
    assert_eq!(pruned, Pruned { expired: 1, saturated: true, ..Pruned::default() });
    assert_eq!(queue.prune(BUDGET).await.unwrap().retired, 1);
}

#[tokio::test]
async fn c34_two_prunes_at_once_delete_every_row_once_and_neither_waits() {
    let database = Database::new().await;
    for device in ["a", "b", "c", "d"] {
        plant(&database, device, PRUNE_BATCH, "30 min").await;
    }
    let prunes = [database.queue(1), database.queue(1)]
        .map(|queue| tokio::spawn(async move { queue.prune(BUDGET).await.unwrap() }));
    let mut expired = 0;
    for prune in prunes {
        expired += prune.await.unwrap().expired;
    }
    expired += database.queue(1).prune(BUDGET).await.unwrap().expired;
    assert_eq!(expired, 4 * PRUNE_BATCH as u64);
    let held =
        Held::new(&database, &format!("select pg_advisory_xact_lock({})", pushwake::queue::lock_keys::PRUNE)).await;
    assert!(database.queue(1).prune(BUDGET).await.unwrap().busy);
    held.roll_back().await;
}

#[tokio::test]
async fn what_is_past_its_retention_goes_and_the_rest_stays() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for event in ["old", "new"] {
        drive::queue(&queue, event, "d").await;
        drive::dismiss(&queue, event, "e").await;
        queue.spend_quota(&event.into(), 1, 10).await.unwrap();
        let dead = pushwake::queue::DeadToken {
            app: drive::APP.into(),
            device: "d".into(),
            token_hash: event.as_bytes().to_vec(),
            reason: "Unregistered".into(),
            dead_at: None,
            source: "tests".into(),
            event: event.into(),
        };
        queue.mark_dead(&[dead]).await.unwrap();
        queue.pause(&event.into(), "BadTopic", None).await.unwrap();
        queue.resume(&event.into()).await.unwrap();
    }
    database
        .execute(
            "update receipts set keep_until = now() - interval '1 s' where event = 'old';
             update dismissals set dismissed_at = now() - interval '25 h' where event = 'old';
             update quotas set since = since - interval '2 h' where source = 'old';
             update dead_tokens set recorded_at = now() - interval '91 days' where event = 'old';
             update past_pauses set resumed_at = now() - interval '15 days' where app = 'old'",
        )
        .await;
    assert_eq!(queue.prune(BUDGET).await.unwrap().retired, 5);
    assert_eq!(queue.prune(BUDGET).await.unwrap(), Pruned::default());
    for table in ["receipts", "dismissals", "quotas", "dead_tokens", "past_pauses"] {
        assert_eq!(database.count(&format!("select count(*) from {table}")).await, 1, "{table}");
    }
    assert_eq!(heads(&queue, 8).await.len(), 2);
}

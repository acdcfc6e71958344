//! A forget: every trace of one device, and nothing of another.

use std::time::Duration;

use pushwake::contract::{AppId, DeviceId, Target};
use pushwake::limits::PRUNE_BATCH;
use pushwake::operator::{Forgotten, Removed};
use pushwake::queue::{Answer, DeadToken, Queue};
use tests::database::Database;
use tests::drive::{self, APP, batch, device, dismiss, event, head, heads};

pub const SHORT: Duration = Duration::from_millis(600);

pub async fn forget(queue: &Queue, device: &str) -> Forgotten {
    queue.forget(&AppId::from(APP), &DeviceId::from(device), SHORT).await.expect("a forget")
}

/// Rows that name a device, over all tables that can.
pub async fn traces(database: &Database, device: &str) -> i64 {
    let of = |table: &str| format!("(select count(*) from {table} where device = '{device}')");
    let tables = ["lanes", "notifications", "receipts", "dismissals", "dead_tokens"].map(of);
    database.count(&format!("select {}", tables.join(" + "))).await
}

pub fn dead(device_id: &str, event: &str) -> DeadToken {
    DeadToken {
        app: APP.into(),
        device: device_id.into(),
        token_hash: device(APP, device_id).token_hash,
        reason: "Unregistered".into(),
        dead_at: None,
        source: "tests".into(),
        event: event.into(),
    }
}

#[tokio::test]
async fn no_table_with_a_device_in_it_is_forgotten_by_forget() {
    let database = Database::new().await;
    let named = "select count(distinct table_name) from information_schema.columns
        where table_schema = 'public' and column_name = 'device'";
    assert_eq!(database.count(named).await, 5, "`traces` knows them all");
}

#[tokio::test]
async fn every_trace_of_a_device_goes_and_nothing_of_another() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for device in ["d", "e"] {
        for event in ["E1", "E2", "E3"] {
            drive::queue(&queue, event, device).await;
        }
        dismiss(&queue, "E2", device).await;
        queue.mark_dead(&[dead(device, "E1")]).await.expect("a verdict");
    }
    let mut other_app = batch("E1", &[]);
    other_app.devices = vec![device("android", "d")];
    queue.enqueue(&other_app).await.expect("an enqueue");
    let of_e = traces(&database, "e").await;
    let forgotten = forget(&queue, "d").await;
    assert_eq!(forgotten.removed, Removed { notifications: 3, receipts: 3, dismissals: 1, dead_tokens: 1 });
    assert!(forgotten.complete && forgotten.in_flight.is_none());
    assert_eq!((traces(&database, "d").await, traces(&database, "e").await), (3, of_e), "three rows of the other app");
    assert_eq!(database.count("select count(*) from receipts where app = 'android' and device = 'd'").await, 1);
    let claimed = heads(&queue, 8).await;
    assert!(claimed.len() == 1 && claimed[0].lease.device.as_str() == "e", "{claimed:?}");
}

#[tokio::test]
async fn a_device_that_nobody_knows_is_forgotten_without_a_trace() {
    let database = Database::new().await;
    let forgotten = forget(&database.queue(1), "nobody").await;
    assert!(forgotten.complete, "{forgotten:?}");
    assert_eq!(forgotten.removed, Removed::default());
    assert_eq!(traces(&database, "nobody").await, 0);
}

#[tokio::test]
async fn an_event_of_a_forgotten_device_is_new_again() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    dismiss(&queue, "E2", "d").await;
    queue.mark_dead(&[dead("d", "E1")]).await.expect("a verdict");
    assert!(forget(&queue, "d").await.complete);
    for event in ["E1", "E2"] {
        assert_eq!(queue.enqueue(&batch(event, &["d"])).await.expect("an enqueue").answers, [Answer::Queued]);
    }
}

#[tokio::test]
async fn a_token_that_was_called_dead_under_another_id_is_forgotten_with_the_device_that_holds_it() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let target = Target::Apns { token: "00ff".to_owned() };
    let mut moved = batch("E1", &["old-id", "d"]);
    for device in &mut moved.devices {
        device.target = target.to_json();
    }
    queue.enqueue(&moved).await.expect("an enqueue");
    let verdict = DeadToken { token_hash: target.hash(), ..dead("old-id", "E1") };
    queue.mark_dead(&[verdict]).await.expect("a verdict");
    assert_eq!(forget(&queue, "d").await.removed.dead_tokens, 1);
    assert_eq!(database.count("select count(*) from dead_tokens").await, 0);
}

#[tokio::test]
async fn a_device_with_more_rows_than_a_statement_takes_is_forgotten_in_passes() {
    let database = Database::new().await;
    let (queue, rows) = (database.queue(1), 2 * PRUNE_BATCH + 7);
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select '{APP}', 'hot', 'tests', 'E' || n, 'alert', 1, '{{}}', 'null', now() + n * interval '1 us',
                 now() + interval '1 hour'
             from generate_series(1, {rows}) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select app, device, seq, send_at, send_at from notifications order by seq limit 1;
             insert into receipts (source, event, app, device, fingerprint, seq, keep_until)
             select source, event, app, device, '', seq, now() + interval '1 day' from notifications"
        ))
        .await;
    let forgotten = queue.forget(&APP.into(), &"hot".into(), Duration::from_mins(1)).await.expect("a forget");
    assert!(forgotten.complete, "{forgotten:?}");
    assert_eq!((forgotten.removed.notifications, forgotten.removed.receipts), (rows as u64, rows as u64));
    assert_eq!(traces(&database, "hot").await, 0);
}

#[tokio::test]
async fn a_lane_whose_rows_are_not_all_gone_names_a_head_that_exists() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for event in ["E1", "E2", "E3"] {
        drive::queue(&queue, event, "d").await;
    }
    // as after a pass that took as much as it may
    let statement = pushwake::queue::statements::ALL.iter().find(|(name, _)| *name == "forget_rows").expect("it").1;
    let pass = sqlx::query(sqlx::AssertSqlSafe(statement.to_owned())).bind(APP).bind("d").bind(2_i64);
    pass.execute(&database.pool).await.expect("a pass");
    assert_eq!(event(&head(&queue).await), "E1");
    assert_eq!(traces(&database, "d").await, 3, "its lane, its row, its receipt");
}

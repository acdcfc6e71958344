//! G5: what enqueue answers, and what it leaves behind.

use std::time::Duration;

use pushwake::limits::{DEVICE_PENDING, QUOTA_WINDOW};
use pushwake::queue::{Answer, Batch, WakeAt};
use tests::database::Database;
use tests::drive::{self, batch, complete, device, head, heads};

async fn answers(database: &Database, batch: &Batch) -> Vec<Answer> {
    database.queue(1).enqueue(batch).await.unwrap().answers
}

#[tokio::test]
async fn the_same_event_is_a_duplicate_and_other_content_a_conflict() {
    let database = Database::new().await;
    let first = batch("E", &["a"]);
    assert_eq!(answers(&database, &first).await, [Answer::Queued]);
    assert_eq!(answers(&database, &batch("E", &["a", "b"])).await, [Answer::Duplicate, Answer::Queued]);
    let other = Batch { fingerprint: b"other".to_vec(), ..first.clone() };
    assert_eq!(answers(&database, &other).await, [Answer::Conflict]);
    let elsewhere = Batch { source: "another".into(), ..other };
    assert_eq!(answers(&database, &elsewhere).await, [Answer::Queued], "event ids are a source's own");
}

#[tokio::test]
async fn a_delivered_event_is_still_a_duplicate() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E", "d").await;
    complete(&queue, &head(&queue).await).await;
    assert_eq!(answers(&database, &batch("E", &["d"])).await, [Answer::Duplicate]);
    assert!(heads(&queue, 8).await.is_empty());
    assert_eq!(database.count("select count(*) from lanes").await, 0, "nor does the attempt leave a lane");
    // past its time a receipt says nothing, pruned or not
    database.execute("update receipts set keep_until = now()").await;
    assert_eq!(answers(&database, &batch("E", &["d"])).await, [Answer::Queued]);
}

#[tokio::test]
async fn receipts_are_kept_for_a_day_and_for_an_hour_past_the_expiry() {
    let database = Database::new().await;
    let mut long = batch("E", &["d"]);
    long.send_at = Some(drive::from_now(12 * 3600));
    long.expires_at = Some(drive::from_now(24 * 3600));
    answers(&database, &long).await;
    answers(&database, &batch("F", &["d"])).await;
    let kept = "select round(extract(epoch from keep_until - now()) / 60)::bigint from receipts where event = ";
    assert_eq!(database.count(&format!("{kept}'E'")).await, 25 * 60);
    assert_eq!(database.count(&format!("{kept}'F'")).await, 24 * 60);
}

#[tokio::test]
async fn c59_a_device_that_was_not_queued_is_queued_when_the_caller_tries_again() {
    let database = Database::new().await;
    let queue = database.queue(1);
    // expired
    let mut expired = batch("E1", &["expired"]);
    expired.expires_at = Some(drive::from_now(-5));
    assert_eq!(answers(&database, &expired).await, [Answer::Expired]);
    assert_eq!(answers(&database, &batch("E1", &["expired"])).await, [Answer::Queued]);
    // rate limited
    for n in 0..DEVICE_PENDING {
        drive::queue(&queue, &format!("F{n}"), "busy").await;
    }
    assert_eq!(answers(&database, &batch("E2", &["busy", "idle"])).await, [Answer::RateLimited, Answer::Queued]);
    complete(&queue, &heads(&queue, 8).await.into_iter().find(|h| h.lease.device.as_str() == "busy").unwrap()).await;
    assert_eq!(answers(&database, &batch("E2", &["busy"])).await, [Answer::Queued]);
    // unregistered
    mark_dead(&database, "gone").await;
    assert_eq!(answers(&database, &batch("E3", &["gone"])).await, [Answer::Unregistered]);
    let mut again = batch("E3", &["gone"]);
    again.devices[0].registered_at = Some(drive::from_now(60));
    assert_eq!(answers(&database, &again).await, [Answer::Queued]);
    assert_eq!(
        database.count("select count(*) from lanes where head = 0").await,
        0,
        "a lane in which nothing was queued is removed"
    );
}

async fn mark_dead(database: &Database, device_id: &str) {
    drive::queue(&database.queue(1), "E", device_id).await;
    let dead = pushwake::queue::DeadToken {
        app: drive::APP.into(),
        device: device_id.into(),
        token_hash: device(drive::APP, device_id).token_hash,
        reason: "Unregistered".into(),
        dead_at: None,
        source: "tests".into(),
        event: "E".into(),
    };
    database.queue(1).mark_dead(&[dead]).await.unwrap();
}

#[tokio::test]
async fn a_dead_token_is_refused_unless_it_was_registered_after_the_verdict() {
    let database = Database::new().await;
    mark_dead(&database, "d").await;
    let mut calls = Vec::new();
    for (event, registered) in [("E1", None), ("E2", Some(-60)), ("E3", Some(60))] {
        let mut batch = batch(event, &["d"]);
        batch.devices[0].registered_at = registered.map(drive::from_now);
        calls.push(answers(&database, &batch).await[0]);
    }
    assert_eq!(calls, [Answer::Unregistered, Answer::Unregistered, Answer::Queued]);
    let mut other_token = batch("E4", &["d"]);
    other_token.devices[0].token_hash = b"new".to_vec();
    assert_eq!(answers(&database, &other_token).await, [Answer::Queued], "the device itself is not dead");
}

#[tokio::test]
async fn a_wake_is_wanted_only_for_new_heads() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let wake = async |batch: Batch| queue.enqueue(&batch).await.unwrap().wake;
    assert_eq!(wake(batch("E1", &["d"])).await, WakeAt::Now);
    assert_eq!(wake(batch("E2", &["d"])).await, WakeAt::NotNeeded, "it went behind a head");
    assert_eq!(wake(batch("E3", &["d", "e"])).await, WakeAt::Now);
    assert_eq!(wake(batch("E1", &["d"])).await, WakeAt::Now, "a retry may be repairing a lost wake");
    let mut scheduled = batch("E4", &["f"]);
    scheduled.send_at = Some(drive::from_now(120));
    let WakeAt::After(delay) = wake(scheduled).await else { panic!("a delayed wake") };
    assert!(delay > Duration::from_secs(110) && delay <= Duration::from_secs(121), "{delay:?}");
}

#[tokio::test]
async fn a_source_s_quota_is_spent_all_or_nothing() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let source = "tests".into();
    assert!(queue.spend_quota(&source, 60, 100).await.unwrap());
    assert!(!queue.spend_quota(&source, 50, 100).await.unwrap(), "40 are left");
    assert!(queue.spend_quota(&source, 40, 100).await.unwrap());
    assert!(queue.spend_quota(&"another".into(), 100, 100).await.unwrap());
    assert!(!queue.spend_quota(&"third".into(), 101, 100).await.unwrap());
    database.execute(&format!("update quotas set since = since - interval '{} s'", QUOTA_WINDOW.as_secs())).await;
    assert!(queue.spend_quota(&source, 100, 100).await.unwrap(), "a new window");
}

#[tokio::test]
async fn five_hundred_devices_take_a_handful_of_statements() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let devices: Vec<String> = (0..500).map(|n| format!("d{n}")).collect();
    let batch = batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(queue.enqueue(&batch).await.unwrap().answers, [Answer::Queued; 500]);
    assert!(queue.statements() <= 6, "{}", queue.statements());
}

#[tokio::test]
async fn the_call_s_deadline_ends_an_enqueue_that_is_stuck_and_nothing_is_left_of_it() {
    let database = Database::new().await;
    let queue = database.named_queue("stuck");
    let barrier = tests::barrier::Held::new(&database, "lock table notifications in share mode").await;
    let error = queue.enqueue(&batch("E", &["d"])).await.unwrap_err();
    assert!(error.to_string().contains("an enqueue"), "{error}");
    // the server sees that its client is gone although its statement still waits for the lock
    tests::barrier::until(|| async {
        database.count("select count(*) from pg_stat_activity where application_name = 'stuck' and datname = current_database()").await == 0
    })
    .await;
    barrier.commit().await;
    assert_eq!(database.count("select count(*) from lanes").await, 0);
    assert_eq!(queue.enqueue(&batch("E", &["d"])).await.unwrap().answers, [Answer::Queued]);
}

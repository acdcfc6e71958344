//! What may happen to a device while it is forgotten: the bad orders are forced with barriers.

use std::time::Duration;

use pushwake::queue::{Answer, Finished, Step};
use tests::barrier::{Held, soon, until, until_blocked};
use tests::database::Database;
use tests::drive::{self, APP, batch, complete, dismiss, event, finished, head, heads, retry};

use crate::forgets::{dead, forget, traces};

const LONG: Duration = Duration::from_mins(1);

/// Starts a forget with all the time there is, called `forgetting`.
fn forgetting(database: &Database) -> tokio::task::JoinHandle<pushwake::operator::Forgotten> {
    let queue = database.named_queue("forgetting");
    tokio::spawn(async move { queue.forget(&APP.into(), &"d".into(), LONG).await.expect("a forget") })
}

#[tokio::test]
async fn what_is_in_flight_is_left_to_its_finish_and_everything_behind_it_goes() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for event in ["E1", "E2", "E3"] {
        drive::queue(&queue, event, "d").await;
    }
    let flying = head(&queue).await;
    let forgotten = forget(&queue, "d").await;
    assert!(!forgotten.complete && forgotten.in_flight > Some(drive::from_now(0)), "{forgotten:?}");
    assert_eq!((forgotten.removed.notifications, forgotten.removed.receipts), (2, 2));
    assert_eq!(traces(&database, "d").await, 3, "its lane, its row, its receipt");
    let again = queue.enqueue(&batch("E1", &["d"])).await.expect("an enqueue");
    assert_eq!(again.answers, [Answer::Duplicate], "nothing queues what is in flight a second time");
    assert!(heads(&queue, 8).await.is_empty(), "its lease stands");
    complete(&queue, &flying).await;
    let forgotten = forget(&queue, "d").await;
    assert!(forgotten.complete && forgotten.removed.receipts == 1, "{forgotten:?}");
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn a_forget_waits_for_the_finish_of_what_is_in_flight_and_goes_on() {
    for step in [Step::Complete, retry(Duration::from_hours(1))] {
        let database = Database::new().await;
        let queue = database.queue(1);
        drive::queue(&queue, "E1", "d").await;
        drive::queue(&queue, "E2", "d").await;
        let flying = head(&queue).await;
        let forget = forgetting(&database);
        until(|| async { traces(&database, "d").await == 3 }).await;
        // a finish that meets the forget's lock comes again, as a drain's does
        while finished(&queue, &flying, step).await == Finished::Skipped {
            tokio::task::yield_now().await;
        }
        let forgotten = soon(forget).await.expect("no panic");
        assert!(forgotten.complete, "{forgotten:?}");
        assert_eq!(traces(&database, "d").await, 0);
    }
}

#[tokio::test]
async fn a_dismissed_head_in_flight_keeps_its_dismissal_until_its_finish() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let flying = head(&queue).await;
    dismiss(&queue, "E1", "d").await;
    assert!(!forget(&queue, "d").await.complete);
    let finish = finished(&queue, &flying, retry(Duration::from_secs(1))).await;
    assert_eq!(finish, Finished::Done { released: false, also_expired: 0, dismissed: true });
    assert!(forget(&queue, "d").await.complete);
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn a_forget_waits_for_an_uncommitted_enqueue_and_forgets_what_it_queued() {
    let database = Database::new().await;
    let barrier = Held::new(&database, "lock table notifications in share mode").await;
    let enqueuing = database.named_queue("enqueuing");
    let enqueue = tokio::spawn(async move { drive::queue(&enqueuing, "E1", "d").await });
    until_blocked(&database.pool, "enqueuing").await;
    let forget = forgetting(&database);
    until_blocked(&database.pool, "forgetting").await;
    barrier.commit().await;
    soon(enqueue).await.expect("no panic");
    let forgotten = soon(forget).await.expect("no panic");
    assert!(forgotten.complete && forgotten.removed.notifications == 1, "{forgotten:?}");
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn an_enqueue_that_waits_behind_a_forget_queues_in_a_new_lane() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let barrier = Held::new(&database, "lock table dead_tokens in share mode").await;
    let forget = forgetting(&database);
    until_blocked(&database.pool, "forgetting").await;
    let enqueuing = database.named_queue("enqueuing");
    let enqueue = tokio::spawn(async move { drive::queue(&enqueuing, "E2", "d").await });
    until_blocked(&database.pool, "enqueuing").await;
    barrier.commit().await;
    let forgotten = soon(forget).await.expect("no panic");
    assert!(forgotten.complete && forgotten.removed.notifications == 1, "{forgotten:?}");
    soon(enqueue).await.expect("no panic");
    assert_eq!(event(&head(&queue).await), "E2");
    assert_eq!(traces(&database, "d").await, 3, "its lane, its row, its receipt");
}

#[tokio::test]
async fn a_dismissal_that_waits_behind_a_forget_never_deadlocks_with_it() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    // one that is old enough to be dismissed anew: the second dismissal locks its row before it waits for the lane
    dismiss(&queue, "E1", "d").await;
    database.execute("update dismissals set dismissed_at = now() - interval '25 h'").await;
    let barrier = Held::new(&database, "select from lanes where device = 'd' for update").await;
    let dismissing = database.named_queue("dismissing");
    let dismissal = tokio::spawn(async move { dismiss(&dismissing, "E1", "d").await.answers });
    until_blocked(&database.pool, "dismissing").await;
    let forget = forgetting(&database);
    until_blocked(&database.pool, "forgetting").await;
    barrier.commit().await;
    assert_eq!(soon(dismissal).await.expect("no deadlock"), [Answer::Dismissed]);
    let forgotten = soon(forget).await.expect("no deadlock");
    assert!(forgotten.complete, "{forgotten:?}");
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn a_verdict_that_comes_after_the_forget_is_not_recorded() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let flying = head(&queue).await;
    finished(&queue, &flying, Step::Discard).await;
    // a drain records it once its finish has committed: the forget is quicker
    assert!(forget(&queue, "d").await.complete);
    queue.mark_dead(&[dead("d", "E1")]).await.expect("a verdict");
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn a_verdict_that_is_being_recorded_is_met_by_the_next_pass() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    // past its look at the receipt, before its insert is there
    let barrier = Held::new(&database, "lock table dead_tokens in share mode").await;
    let recording = database.named_queue("recording");
    let verdict = tokio::spawn(async move { recording.mark_dead(&[dead("d", "E1")]).await });
    until_blocked(&database.pool, "recording").await;
    let forget = forgetting(&database);
    until_blocked(&database.pool, "forgetting").await;
    barrier.commit().await;
    soon(verdict).await.expect("no panic").expect("a verdict");
    let forgotten = soon(forget).await.expect("no panic");
    assert!(forgotten.complete, "{forgotten:?}");
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn a_verdict_waits_for_a_forget_that_is_not_committed_and_is_dropped() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let mut barrier = Held::new(&database, "delete from receipts where device = 'd'").await;
    let recording = database.named_queue("recording");
    let verdict = tokio::spawn(async move { recording.mark_dead(&[dead("d", "E1")]).await });
    until_blocked(&database.pool, "recording").await;
    barrier.execute("delete from notifications; delete from lanes").await;
    barrier.commit().await;
    soon(verdict).await.expect("no panic").expect("a verdict");
    assert_eq!(traces(&database, "d").await, 0);
}

#[tokio::test]
async fn a_lane_that_stays_locked_leaves_the_forget_undone_and_it_says_so() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let held = Held::new(&database, "select from lanes where device = 'd' for update").await;
    let forgotten = forget(&queue, "d").await;
    assert!(!forgotten.complete && forgotten.in_flight.is_none(), "{forgotten:?}");
    held.roll_back().await;
    assert!(forget(&queue, "d").await.complete);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_drains_and_forgets_of_one_device_never_deadlock_nor_lose_a_lane() {
    let database = Database::new().await;
    let mut busy = Vec::new();
    for caller in 0..3 {
        let queue = database.queue(1);
        busy.push(tokio::spawn(async move {
            for n in 0..60 {
                let event = format!("E{}", (n * 3 + caller) % 40);
                match (n + caller) % 4 {
                    0 => drop(dismiss(&queue, &event, "d").await),
                    _ => drop(queue.enqueue(&batch(&event, &["d", "e"])).await.expect("no deadlock")),
                }
            }
        }));
    }
    for _ in 0..2 {
        let queue = database.queue(1);
        busy.push(tokio::spawn(async move {
            for n in 0..60 {
                if let Ok(pushwake::queue::Claim::Claimed(claimed)) = drive::try_claim(&queue, 4).await {
                    for head in claimed.heads {
                        let step = if n % 3 == 0 { retry(Duration::ZERO) } else { Step::Discard };
                        finished(&queue, &head, step).await;
                        queue.mark_dead(&[dead("d", event(&head))]).await.expect("no deadlock");
                    }
                }
                forget(&queue, "d").await;
            }
        }));
    }
    for caller in busy {
        soon(caller).await.expect("no deadlock");
    }
    let dangling = "select count(*) from lanes where head <> 0
        and not exists (select from notifications where notifications.seq = lanes.head)";
    let lost = "select count(*) from notifications
        where not exists (select from lanes where lanes.app = notifications.app and lanes.device = notifications.device)";
    assert_eq!((database.count(dangling).await, database.count(lost).await), (0, 0));
    let deadlocks = "select deadlocks from pg_stat_database where datname = current_database()";
    assert_eq!(database.count(deadlocks).await, 0);
    database.end_leases().await;
    assert!(forget(&database.queue(1), "d").await.complete);
    assert_eq!(traces(&database, "d").await, 0);
}

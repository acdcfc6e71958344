//! Dismissals: of heads that wait, fly, or have not arrived.

use std::time::Duration;

use pushwake::queue::{Answer, Finished, Found, Step};
use tests::barrier::{Held, until_blocked};
use tests::database::Database;
use tests::drive::{self, batch, complete, dismiss, event, finish, finished, head, heads, retry};

#[tokio::test]
async fn c58_the_next_head_still_waits_for_the_retry_after_of_a_dismissed_one() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    drive::queue(&queue, "E2", "d").await;
    let first = head(&queue).await;
    let mut wait = finish(&first, retry(Duration::from_mins(1)));
    wait.rest = Some(Duration::from_mins(1));
    queue.finish(&[wait]).await.unwrap();
    assert_eq!(dismiss(&queue, "E1", "d").await.answers, [Answer::Dismissed]);
    assert!(heads(&queue, 8).await.is_empty(), "the device rests");
    database.make_due().await;
    assert_eq!(event(&head(&queue).await), "E2");
}

#[tokio::test]
async fn c58_a_dismissed_head_in_flight_that_fails_is_not_retried() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    drive::queue(&queue, "E2", "d").await;
    let flying = head(&queue).await;
    dismiss(&queue, "E1", "d").await;
    assert_eq!(database.count("select count(*) from notifications where kind = 'alert'").await, 2, "not recalled");
    let failed = finished(&queue, &flying, retry(Duration::from_secs(2))).await;
    assert_eq!(failed, Finished::Done { released: true, also_expired: 0, dismissed: true });
    let next = head(&queue).await;
    assert_eq!(event(&next), "E2");
    complete(&queue, &next).await;
    let silent = head(&queue).await;
    assert!(matches!(silent.found, Found::Live(ref found) if found.kind == "dismiss"), "then the silent push");
}

#[tokio::test]
async fn c58_a_late_arrival_is_never_sent_after_the_dismissal() {
    let database = Database::new().await;
    let queue = database.queue(1);
    dismiss(&queue, "E1", "d").await;
    assert_eq!(queue.enqueue(&batch("E1", &["d", "e"])).await.unwrap().answers, [Answer::Dismissed, Answer::Queued]);
    let claimed = heads(&queue, 8).await;
    let kinds: Vec<_> = claimed
        .iter()
        .map(|head| match &head.found {
            Found::Live(found) => (head.lease.device.as_str(), found.kind.as_str()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(kinds.contains(&("d", "dismiss")) && kinds.contains(&("e", "alert")) && kinds.len() == 2);
}

#[tokio::test]
async fn a_second_dismissal_sends_no_second_push() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    for _ in 0..3 {
        assert_eq!(dismiss(&queue, "E1", "d").await.answers, [Answer::Dismissed]);
    }
    complete(&queue, &head(&queue).await).await;
    assert!(heads(&queue, 8).await.is_empty());
    assert_eq!(queue.enqueue(&batch("E1", &["d"])).await.unwrap().answers, [Answer::Dismissed], "sent again later");
}

#[tokio::test]
async fn c63_a_dismissal_waits_for_an_uncommitted_enqueue_of_its_event() {
    let database = Database::new().await;
    let barrier = Held::new(&database, "lock table notifications in share mode").await;
    let enqueuing = database.named_queue("enqueuing");
    let enqueue = tokio::spawn(async move { drive::queue(&enqueuing, "E1", "d").await });
    until_blocked(&database.pool, "enqueuing").await;
    let dismissing = database.named_queue("dismissing");
    let dismissal = tokio::spawn(async move { dismiss(&dismissing, "E1", "d").await });
    until_blocked(&database.pool, "dismissing").await;
    barrier.commit().await;
    enqueue.await.unwrap();
    dismissal.await.unwrap();
    only_the_silent_push_is_left(&database).await;
}

#[tokio::test]
async fn c63_an_enqueue_waits_for_an_uncommitted_dismissal_of_its_event() {
    let database = Database::new().await;
    let barrier = Held::new(&database, "lock table notifications in share mode").await;
    let dismissing = database.named_queue("dismissing");
    let dismissal = tokio::spawn(async move { dismiss(&dismissing, "E1", "d").await });
    until_blocked(&database.pool, "dismissing").await;
    let enqueuing = database.named_queue("enqueuing");
    let enqueue = tokio::spawn(async move { enqueuing.enqueue(&batch("E1", &["d"])).await.unwrap().answers });
    until_blocked(&database.pool, "enqueuing").await;
    barrier.commit().await;
    dismissal.await.unwrap();
    assert_eq!(enqueue.await.unwrap(), [Answer::Dismissed]);
    only_the_silent_push_is_left(&database).await;
}

async fn only_the_silent_push_is_left(database: &Database) {
    let queue = database.queue(1);
    let claimed = heads(&queue, 8).await;
    assert_eq!(claimed.len(), 1);
    assert!(matches!(claimed[0].found, Found::Live(ref found) if found.kind == "dismiss"));
    complete(&queue, &claimed[0]).await;
    let rows = database.count("select (select count(*) from notifications) + (select count(*) from lanes)").await;
    assert_eq!(rows, 0, "no row without a lane, no lane without a row");
}

#[tokio::test]
async fn c64_a_dismissed_head_whose_drain_died_is_finished_without_a_send() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    head(&queue).await;
    dismiss(&queue, "E1", "d").await;
    database.end_leases().await;
    let dead = head(&queue).await;
    assert!(matches!(dead.found, Found::Dismissed(_)));
    finished(&queue, &dead, Step::Discard).await;
    let silent = head(&queue).await;
    assert!(matches!(silent.found, Found::Live(ref found) if found.kind == "dismiss"));
}

#[tokio::test]
async fn a_dismissal_in_the_middle_of_a_lane_leaves_its_head_alone() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for event in ["E1", "E2", "E3"] {
        drive::queue(&queue, event, "d").await;
    }
    let first = head(&queue).await;
    dismiss(&queue, "E2", "d").await;
    complete(&queue, &first).await;
    assert_eq!(event(&head(&queue).await), "E3");
}

//! G3: the order of a lane, under retries, schedules and steps of the clock.

use std::time::Duration;

use pushwake::queue::{Answer, Finished, Step};
use tests::database::Database;
use tests::drive::{self, batch, complete, event, finish, finished, head, heads, retry};

#[tokio::test]
async fn a_lane_is_sent_in_the_order_it_was_queued() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for n in 0..20 {
        drive::queue(&queue, &format!("E{n}"), "d").await;
    }
    for n in 0..20 {
        let head = head(&queue).await;
        assert_eq!(event(&head), format!("E{n}"));
        complete(&queue, &head).await;
    }
    assert_eq!(database.count("select count(*) from lanes").await, 0, "an empty lane is removed");
}

#[tokio::test]
async fn c46_nothing_is_sent_to_a_device_before_its_retry_after() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let head = head(&queue).await;
    let delay = Duration::from_mins(1);
    let mut finish = finish(&head, retry(delay));
    finish.rest = Some(delay);
    queue.finish(&[finish]).await.unwrap();
    drive::queue(&queue, "E2", "d").await;
    assert!(heads(&queue, 8).await.is_empty());
    let seconds = database.count("select extract(epoch from due_at - clock_timestamp())::bigint from lanes").await;
    assert!((55..=60).contains(&seconds), "{seconds}");
    let backlog = queue.backlog(None).await.unwrap();
    assert!(backlog.due == 0 && backlog.next.unwrap() > Duration::from_secs(50));
}

#[tokio::test]
async fn c46_a_provider_s_delay_outlives_the_head_that_met_it() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    drive::queue(&queue, "E2", "d").await;
    let head = head(&queue).await;
    let mut finish = finish(&head, Step::Discard);
    finish.rest = Some(Duration::from_mins(1));
    assert!(matches!(queue.finish(&[finish]).await.unwrap()[0], Finished::Done { released: false, .. }));
    assert!(heads(&queue, 8).await.is_empty());
    drive::queue(&queue, "E3", "d").await;
    assert!(heads(&queue, 8).await.is_empty());
    database.make_due().await;
    assert_eq!(event(&heads(&queue, 8).await[0]), "E2");
}

#[tokio::test]
async fn c22_nothing_overtakes_a_head_that_waits_for_its_retry() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let first = head(&queue).await;
    finished(&queue, &first, retry(Duration::from_secs(8))).await;
    drive::queue(&queue, "E2", "d").await;
    assert!(heads(&queue, 8).await.is_empty(), "the retry blocks the lane");
    drive::dismiss(&queue, "E1", "d").await;
    let next = head(&queue).await;
    assert_eq!(event(&next), "E2", "nothing of a dismissed event is sent again");
    complete(&queue, &next).await;
    let silent = head(&queue).await;
    assert_eq!(event(&silent), "E1", "the silent push of the dismissal follows in order");
    assert!(matches!(silent.found, pushwake::queue::Found::Live(ref found) if found.kind == "dismiss"));
}

#[tokio::test]
async fn a_scheduled_row_waits_and_an_earlier_one_goes_first() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for (name, seconds) in [("later", 600), ("sooner", 300)] {
        let mut scheduled = batch(name, &["d"]);
        scheduled.send_at = Some(drive::from_now(seconds));
        queue.enqueue(&scheduled).await.unwrap();
    }
    assert!(heads(&queue, 8).await.is_empty());
    drive::queue(&queue, "now", "d").await;
    let mut sent = Vec::new();
    for _ in 0..3 {
        database.execute("update lanes set due_at = now() - interval '1 s'").await;
        let head = head(&queue).await;
        sent.push(event(&head).to_owned());
        complete(&queue, &head).await;
    }
    assert_eq!(sent, ["now", "sooner", "later"]);
}

#[tokio::test]
async fn c60_after_a_step_back_of_the_clock_the_order_holds_and_no_leased_head_is_replaced() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let first = head(&queue).await;
    // the clock steps back 5 s: to the rows it is the same as if they all were 5 s ahead
    database
        .execute(
            "update notifications set send_at = send_at + interval '5 s';
             update lanes set head_at = head_at + interval '5 s', tail_at = tail_at + interval '5 s',
                 lease_until = lease_until + interval '5 s'",
        )
        .await;
    drive::queue(&queue, "E2", "d").await;
    assert_eq!(database.count("select head from lanes").await, first.lease.head, "the leased head stays");
    assert!(matches!(finished(&queue, &first, retry(Duration::ZERO)).await, Finished::Done { .. }));
    drive::queue(&queue, "E3", "d").await;
    for expected in ["E1", "E2", "E3"] {
        database.make_due().await;
        let head = head(&queue).await;
        assert_eq!(event(&head), expected);
        complete(&queue, &head).await;
    }
}

#[tokio::test]
async fn c60_a_scheduled_head_that_was_claimed_is_not_overtaken_after_a_step_back() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let mut scheduled = batch("E1", &["d"]);
    scheduled.send_at = Some(drive::from_now(60));
    queue.enqueue(&scheduled).await.unwrap();
    // it comes due and is claimed, then the clock steps back to before its time
    database.execute("update lanes set due_at = now() - interval '1 s'").await;
    let first = head(&queue).await;
    finished(&queue, &first, retry(Duration::from_secs(1))).await;
    drive::queue(&queue, "E2", "d").await;
    database.make_due().await;
    assert_eq!(event(&head(&queue).await), "E1", "a head that was tried stays the first");
}

#[tokio::test]
async fn expiry_is_never_extended_and_an_expired_call_says_so() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let mut late = batch("E1", &["d"]);
    late.expires_at = Some(drive::from_now(-1));
    assert_eq!(queue.enqueue(&late).await.unwrap().answers, [Answer::Expired]);
    drive::queue(&queue, "E2", "d").await;
    let mut again = batch("E2", &["d"]);
    again.expires_at = Some(drive::from_now(3600));
    assert_eq!(queue.enqueue(&again).await.unwrap().answers, [Answer::Duplicate]);
    let life = database.count("select extract(epoch from expires_at - send_at)::bigint from notifications").await;
    assert_eq!(life, 300);
}

//! Finishes beside enqueues, stuck transactions and lost answers.

use std::time::{Duration, Instant};

use pushwake::limits::{SKIPPED_RETRY, SKIPS_BEFORE_WAIT};
use pushwake::queue::{Finished, Queue, Renewal, Step};
use tests::barrier::{Held, until_blocked};
use tests::database::Database;
use tests::drive::{self, batch, complete, event, finish, finished, head, heads, retry};

const LANE: &str = "select from lanes where device = 'd' for update";

#[tokio::test]
async fn c45_what_an_enqueue_commits_while_a_finish_waits_is_claimable_afterwards() {
    let database = Database::new().await;
    let queue = database.named_queue("finishing");
    drive::queue(&queue, "E1", "d").await;
    let first = head(&queue).await;
    // the enqueue holds the lane and is about to insert
    let barrier = Held::new(&database, "lock table receipts in share mode").await;
    let enqueuing = database.named_queue("enqueuing");
    let enqueue = tokio::spawn(async move { drive::queue(&enqueuing, "E2", "d").await });
    until_blocked(&database.pool, "enqueuing").await;
    assert_eq!(finished(&queue, &first, Step::Complete).await, Finished::Skipped, "a finish that skips doesn't wait");
    let done = finish(&first, Step::Complete);
    let waiting = {
        let queue = queue.clone();
        tokio::spawn(async move { until_done(&queue, &done).await })
    };
    until_blocked(&database.pool, "finishing").await;
    barrier.commit().await;
    enqueue.await.unwrap();
    waiting.await.unwrap();
    assert_eq!(event(&head(&queue).await), "E2");
}

/// Waits for one lane, as often as it takes.
async fn until_done(queue: &Queue, one: &pushwake::queue::Finish) -> Finished {
    loop {
        match queue.finish_waiting(one).await.unwrap() {
            Finished::Skipped => {}
            finished => return finished,
        }
    }
}

#[tokio::test]
async fn c45_an_enqueue_that_waits_for_the_finish_that_removes_its_lane_makes_a_new_one() {
    let database = Database::new().await;
    let queue = database.named_queue("finishing");
    drive::queue(&queue, "E1", "d").await;
    let first = head(&queue).await;
    // the finish has locked the lane and deleted its head, and is about to remove the lane
    let barrier = Held::new(&database, "lock table dismissals in access exclusive mode").await;
    let done = finish(&first, Step::Complete);
    let finishing = {
        let queue = queue.clone();
        tokio::spawn(async move { queue.finish(&[done]).await.unwrap() })
    };
    until_blocked(&database.pool, "finishing").await;
    let enqueuing = database.named_queue("enqueuing");
    let enqueue = tokio::spawn(async move { drive::queue(&enqueuing, "E2", "d").await });
    until_blocked(&database.pool, "enqueuing").await;
    barrier.commit().await;
    finishing.await.unwrap();
    enqueue.await.unwrap();
    assert_eq!(event(&head(&queue).await), "E2");
}

#[tokio::test]
async fn c56_one_stuck_lane_holds_up_nothing_but_itself() {
    let database = Database::new().await;
    let queue = database.queue(1);
    queue.enqueue(&batch("E", &["a", "b", "c", "d", "e"])).await.unwrap();
    let claimed = heads(&queue, 5).await;
    let stuck = Held::new(&database, LANE).await;
    let leases: Vec<_> = claimed.iter().map(|head| head.lease.clone()).collect();
    let renewals = queue.renew(&leases).await.unwrap();
    let batch: Vec<_> = claimed.iter().map(|head| finish(head, Step::Complete)).collect();
    let finishes = queue.finish(&batch).await.unwrap();
    for (head, (renewal, finished)) in claimed.iter().zip(renewals.iter().zip(&finishes)) {
        if head.lease.device.as_str() == "d" {
            assert_eq!((*renewal, *finished), (Renewal::Skipped, Finished::Skipped));
        } else {
            assert_eq!(*renewal, Renewal::Renewed);
            assert!(matches!(finished, Finished::Done { .. }));
        }
    }
    // longer than a lease
    stuck.roll_back().await;
    let stuck = Held::new(&database, "update lanes set lease_until = now() - interval '1 s'; ").await;
    assert!(heads_of_others(&database).await.is_empty(), "a locked lane is nobody's, expired or not");
    stuck.roll_back().await;
}

/// Claims as another drain would, past a contended answer.
async fn heads_of_others(database: &Database) -> Vec<pushwake::queue::Head> {
    match drive::claim(&database.queue(1), 5).await {
        pushwake::queue::Claim::Claimed(claimed) => claimed.heads,
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn c57_a_finish_whose_answer_was_lost_changes_nothing_when_it_is_retried() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    drive::queue(&queue, "E2", "d").await;
    let first = head(&queue).await;
    // it commits, but nobody hears of it; the same drain claims the lane's next head
    complete(&queue, &first).await;
    let second = head(&queue).await;
    assert_eq!(event(&second), "E2");
    assert_eq!(finished(&queue, &first, Step::Complete).await, Finished::Lost);
    assert_eq!(finished(&queue, &first, retry(Duration::from_secs(5))).await, Finished::Lost);
    complete(&queue, &second).await;
}

#[tokio::test]
async fn c66_a_hot_lane_starves_neither_finishes_nor_renewals() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E", "d").await;
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let callers: Vec<_> = (0..4)
        .map(|caller| {
            let (queue, stop) = (database.queue(1), stop.clone());
            tokio::spawn(async move {
                let mut n = 0;
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    n += 1;
                    queue.enqueue(&batch(&format!("{caller}-{n}"), &["d"])).await.unwrap();
                }
            })
        })
        .collect();
    let mut took = Vec::new();
    for _ in 0..5 {
        let head = until_claimed(&queue).await;
        let start = Instant::now();
        assert_eq!(patient_renewal(&queue, &head.lease).await, Renewal::Renewed);
        took.push(start.elapsed());
        let start = Instant::now();
        assert!(matches!(patient_finish(&queue, &finish(&head, Step::Complete)).await, Finished::Done { .. }));
        took.push(start.elapsed());
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap();
    }
    took.sort();
    assert!(took[took.len() / 2] < Duration::from_secs(1), "{took:?}");
}

async fn until_claimed(queue: &Queue) -> pushwake::queue::Head {
    loop {
        if let pushwake::queue::Claim::Claimed(mut claimed) = drive::claim(queue, 1).await {
            return claimed.heads.remove(0);
        }
    }
}

/// As a drain does: skips a few times, then waits for the lane.
async fn patient_finish(queue: &Queue, one: &pushwake::queue::Finish) -> Finished {
    for _ in 0..SKIPS_BEFORE_WAIT {
        match queue.finish(std::slice::from_ref(one)).await.unwrap()[0] {
            Finished::Skipped => tokio::time::sleep(SKIPPED_RETRY).await,
            finished => return finished,
        }
    }
    until_done(queue, one).await
}

async fn patient_renewal(queue: &Queue, lease: &pushwake::queue::Lease) -> Renewal {
    for _ in 0..SKIPS_BEFORE_WAIT {
        match queue.renew(std::slice::from_ref(lease)).await.unwrap()[0] {
            Renewal::Skipped => tokio::time::sleep(SKIPPED_RETRY).await,
            renewal => return renewal,
        }
    }
    loop {
        match queue.renew_waiting(lease).await.unwrap() {
            Renewal::Skipped => {}
            renewal => return renewal,
        }
    }
}

#[tokio::test]
async fn an_answer_takes_its_attempt_back_from_unanswered_and_silence_does_not() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let mut unanswered = Vec::new();
    for answered in [false, true, false, true] {
        database.make_due().await;
        let head = head(&queue).await;
        unanswered.push(head.unanswered);
        finished(&queue, &head, Step::Retry { after: Duration::ZERO, answered }).await;
    }
    assert_eq!(unanswered, [1, 2, 2, 3]);
}

#[tokio::test]
async fn a_batch_finishes_every_lane_by_its_own_step() {
    let database = Database::new().await;
    let queue = database.queue(1);
    queue.enqueue(&batch("E1", &["a", "b", "c"])).await.unwrap();
    queue.enqueue(&batch("E2", &["a", "b"])).await.unwrap();
    let claimed = heads(&queue, 8).await;
    let of = |device: &str| claimed.iter().find(|head| head.lease.device.as_str() == device).unwrap();
    let steps = [
        finish(of("a"), Step::Complete),
        finish(of("b"), retry(Duration::from_secs(9))),
        finish(of("c"), Step::Discard),
    ];
    let finished = queue.finish(&steps).await.unwrap();
    let released: Vec<bool> =
        finished.iter().map(|finished| matches!(finished, Finished::Done { released: true, .. })).collect();
    assert_eq!(released, [true, false, false]);
    let left = heads(&queue, 8).await;
    assert_eq!((left.len(), event(&left[0])), (1, "E2"));
    assert_eq!(database.count("select count(*) from lanes").await, 2);
    assert!(queue.finish(&[]).await.unwrap().is_empty());
}

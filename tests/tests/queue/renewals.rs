//! Renewals: no lease is revived, no lane is waited for.

use pushwake::limits::LEASE;
use pushwake::queue::{Renewal, Step};
use tests::barrier::{Held, until_blocked};
use tests::database::Database;
use tests::drive::{self, batch, claim, head, heads};

#[tokio::test]
async fn a_renewal_gives_a_whole_lease_again_without_touching_an_index() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E", "d").await;
    let head = head(&queue).await;
    database.execute("update lanes set lease_until = clock_timestamp() + interval '2 s'").await;
    assert_eq!(queue.renew(&[head.lease]).await.unwrap(), [Renewal::Renewed]);
    let left = database.count("select extract(epoch from lease_until - clock_timestamp())::bigint from lanes").await;
    assert!(left >= LEASE.as_secs() as i64 - 2, "{left}");
}

#[tokio::test]
async fn losing_a_lease_is_an_answer() {
    let database = Database::new().await;
    let queue = database.queue(1);
    queue.enqueue(&batch("E", &["mine", "theirs"])).await.unwrap();
    let first = heads(&queue, 2).await;
    database.execute("update lanes set lease_until = '-infinity' where device = 'theirs'").await;
    assert_eq!(heads(&queue, 2).await.len(), 1);
    let leases: Vec<_> = first.iter().map(|head| head.lease.clone()).collect();
    let renewals = queue.renew(&leases).await.unwrap();
    for (lease, renewal) in leases.iter().zip(renewals) {
        let expected = if lease.device.as_str() == "mine" { Renewal::Renewed } else { Renewal::Lost };
        assert_eq!(renewal, expected);
    }
}

#[tokio::test]
async fn c65_a_renewal_never_revives_a_lease_that_ran_out() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E", "d").await;
    let head = head(&queue).await;
    database.end_leases().await;
    // an exclusive claimer has looked at the lane: whatever a renewal answers now, it will lease it
    let exclusive =
        Held::new(&database, &format!("select pg_advisory_xact_lock({})", pushwake::queue::lock_keys::CLAIM)).await;
    assert_eq!(queue.renew(std::slice::from_ref(&head.lease)).await.unwrap(), [Renewal::Lost]);
    assert_eq!(queue.renew_waiting(&head.lease).await.unwrap(), Renewal::Lost);
    exclusive.commit().await;
    assert_eq!(
        database.count("select count(*) from lanes where lease_until > clock_timestamp()").await,
        0,
        "not even a moment of lease was added"
    );
}

#[tokio::test]
async fn c65_a_renewal_that_waited_past_the_end_of_its_lease_does_not_revive_it() {
    let database = Database::new().await;
    let queue = database.named_queue("renewing");
    drive::queue(&queue, "E", "d").await;
    let head = head(&queue).await;
    let mut lane = Held::new(&database, "select from lanes for update").await;
    let lease = head.lease.clone();
    let renewing = tokio::spawn(async move {
        loop {
            match queue.renew_waiting(&lease).await.unwrap() {
                Renewal::Skipped => {}
                renewal => return renewal,
            }
        }
    });
    until_blocked(&database.pool, "renewing").await;
    lane.execute("update lanes set lease_until = clock_timestamp() - interval '1 ms'").await;
    lane.commit().await;
    assert_eq!(renewing.await.unwrap(), Renewal::Lost, "the clock is read after the lock was waited for");
}

#[tokio::test]
async fn c8s_a_renewal_goes_through_while_the_claim_connection_is_busy() {
    let database = Database::new().await;
    let (queue, renewals) = (database.named_queue("claiming"), database.queue(1));
    drive::queue(&queue, "E", "d").await;
    let head = head(&queue).await;
    drive::queue(&queue, "E", "other").await;
    let barrier = Held::new(&database, "lock table notifications in access exclusive mode").await;
    let claiming = {
        let queue = queue.clone();
        tokio::spawn(async move { claim(&queue, 1).await })
    };
    until_blocked(&database.pool, "claiming").await;
    for _ in 0..3 {
        assert_eq!(renewals.renew(std::slice::from_ref(&head.lease)).await.unwrap(), [Renewal::Renewed]);
    }
    barrier.commit().await;
    claiming.await.unwrap();
    drive::finished(&queue, &head, Step::Complete).await;
}

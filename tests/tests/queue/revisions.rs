//! G7: two revisions side by side. The previous one claims as a stand-in does here: it takes the claim key
//! exclusively, scans for free lanes, pauses, re-reads what it found without looking at the lease, and leases it.

use pushwake::queue::{Claim, lock_keys};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tests::barrier::{Held, until_blocked};
use tests::database::Database;
use tests::drive::{self, batch, claim, heads};

/// The stand-in: answers how many lanes it leased. `pause` runs between its scan and its lease.
async fn previous_claim(database: &Database, pause: impl AsyncFnOnce()) -> u64 {
    let options = database.options().application_name("previous");
    let mut connection = PgConnection::connect_with(&options).await.unwrap();
    let key = format!("begin; set local lock_timeout = '30s'; select pg_advisory_xact_lock({})", lock_keys::CLAIM);
    sqlx::raw_sql(AssertSqlSafe(key)).execute(&mut connection).await.unwrap();
    let free: Vec<String> =
        sqlx::query_scalar("select device from lanes where due_at <= now() and lease_until <= clock_timestamp()")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    pause().await;
    let leased = sqlx::query(
        "update lanes set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '30 s'
         where device = any($1)",
    )
    .bind(free)
    .execute(&mut connection)
    .await
    .unwrap()
    .rows_affected();
    sqlx::raw_sql("commit").execute(&mut connection).await.unwrap();
    leased
}

#[tokio::test]
async fn c47_the_previous_revision_waits_until_our_leases_are_committed() {
    let database = Database::new().await;
    let queue = database.named_queue("ours");
    queue.enqueue(&batch("E", &["a", "b", "c"])).await.unwrap();
    // our claim has leased, and is not committed
    let barrier = Held::new(&database, "lock table notifications in access exclusive mode").await;
    let ours = tokio::spawn(async move { heads(&queue, 2).await });
    until_blocked(&database.pool, "ours").await;
    let pool = database.pool.clone();
    let previous = tokio::spawn(async move { previous_claim(&database, async || {}).await });
    until_blocked(&pool, "previous").await;
    barrier.commit().await;
    assert_eq!(ours.await.unwrap().len(), 2);
    assert_eq!(previous.await.unwrap(), 1, "it leases what we did not");
}

#[tokio::test]
async fn c47_we_yield_while_the_previous_revision_holds_the_key() {
    let database = Database::new().await;
    let queue = database.queue(1);
    queue.enqueue(&batch("E", &["a", "b"])).await.unwrap();
    let leased = previous_claim(&database, async || {
        assert!(matches!(claim(&queue, 8).await, Claim::Yielded), "between its scan and its lease nothing is ours");
    })
    .await;
    assert_eq!(leased, 2);
    assert!(heads(&queue, 8).await.is_empty(), "and afterwards they are leased");
    drive::queue(&queue, "E", "c").await;
    assert_eq!(heads(&queue, 8).await.len(), 1);
}

#[tokio::test]
async fn our_claims_never_block_one_another() {
    let database = Database::new().await;
    let queue = database.named_queue("slow");
    queue.enqueue(&batch("E", &["a", "b"])).await.unwrap();
    let mut key = Held::new(&database, &format!("select pg_try_advisory_xact_lock_shared({})", lock_keys::CLAIM)).await;
    key.execute("select from lanes where device = 'a' for update").await;
    assert_eq!(heads(&database.queue(1), 8).await.len(), 1, "another claim in its transaction is no obstacle");
    key.roll_back().await;
}

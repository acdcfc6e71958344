//! Connections that fall silent.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pushwake::queue::Claim;
use sqlx::postgres::PgPoolOptions;
use tests::database::{Database, front_port, queue_over};
use tests::drive::{claim, heads, queue, try_claim};
use tests::wire::Wire;

#[tokio::test(flavor = "multi_thread")]
async fn c54_a_connection_that_falls_silent_behind_its_last_commit_does_not_keep_its_place_in_the_pool() {
    let (database, wire) = (Database::new().await, Wire::to(front_port().await).await);
    let options = database.front().host("127.0.0.1").port(wire.address.port());
    let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(2));
    let over_wire = queue_over(pool.connect_lazy_with(options));
    queue(&database.queue(1), "e1", "d1").await;
    wire.faults.vanish_after_commit.store(true, Ordering::SeqCst);
    assert_eq!(heads(&over_wire, 1).await.len(), 1, "the answer of the commit still came");
    assert!(try_claim(&over_wire, 1).await.is_err(), "the wire is dead");
    wire.faults.black_hole.store(false, Ordering::SeqCst);
    assert!(matches!(claim(&over_wire, 1).await, Claim::Empty), "a new connection takes its place");
}

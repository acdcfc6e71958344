//! What wakes and bursts cost: claims, and connections.

use std::time::Duration;

use local::apns::{self, Latency};
use local::stack;
use pushwake::limits::{DRAIN_CONNECTIONS, DRAINS};
use tests::backends::Watch;
use tests::barrier::{Held, until};
use tests::product::{Product, options};

#[tokio::test(flavor = "multi_thread")]
async fn c49_one_send_to_an_idle_system_costs_two_claims() {
    let product = Product::start().await;
    for n in 1..=5 {
        product.queue(n, [0]).await;
        product.until(|tally| tally.delivered == n).await;
        product.until_quiet().await;
    }
    let summaries = product.summaries().await;
    assert_eq!(summaries.len(), 5);
    for summary in summaries {
        assert!(summary["claims"].as_u64() <= Some(2), "{summary}");
    }
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c49_many_sends_cost_at_most_one_empty_claim_each_and_two_per_drain() {
    const SENDS: usize = 300;
    let latency = Latency::Spread(Duration::from_millis(10), Duration::from_millis(60));
    let apns = apns::Options { latency, ..apns::Options::default() };
    let product = Product::with(stack::Options { apns, ..options().await }).await;
    for d in 0..SENDS {
        product.queue(1, [d]).await;
    }
    product.until(|tally| tally.delivered == SENDS as u64).await;
    product.until_quiet().await;
    let empty = product.total("empty_claims").await;
    assert!(empty <= (SENDS + 2 * DRAINS) as u64, "{empty} empty claims");
    product.stop().await;
}

/// The ends of all leases, in milliseconds: a renewal moves them.
const LEASES: &str = "select coalesce(sum(extract(epoch from lease_until) * 1000), 0)::bigint from lanes
    where lease_token is not null";

#[tokio::test(flavor = "multi_thread")]
async fn c52_a_drain_has_two_connections_at_most_and_renews_while_the_other_is_stuck() {
    const BUSY: usize = 3;
    // Each holds one lane, and none can finish or claim another.
    let environment = vec![("PUSHWAKE_WINDOW".to_owned(), "1".to_owned())];
    let product = Product::with(stack::Options { environment, ..options().await }).await;
    product.stack.stop_drains().await;
    product.queue(1, 0..BUSY).await;
    product.apns().gate().close();
    let watch = Watch::start(&product.database).await;
    let drains = async { futures::future::join_all((0..BUSY).map(|_| product.drain())).await };
    let watched = async {
        product.until(|tally| tally.in_flight == BUSY as u64).await;
        // Whatever reads or deletes notifications waits from now on: claims and finishes, but no renewal.
        let held = Held::new(&product.database, "lock table notifications in access exclusive mode").await;
        let claimed = product.database.count(LEASES).await;
        product.apns().gate().open();
        until(|| async { product.database.count(LEASES).await >= claimed + 5_000 * BUSY as i64 }).await;
        held.roll_back().await;
    };
    tokio::join!(drains, watched);
    let seen = watch.stop().await;
    assert!(seen.peak["drain"] > BUSY as i64, "renewals had a connection of their own");
    // Postgres notices within a second that a client went away.
    assert!(seen.standing(Duration::from_secs(2)) <= BUSY as i64 * i64::from(DRAIN_CONNECTIONS));
    assert_eq!((product.apns().tally().requests, product.total("delivered").await), (3, 3));
    product.stop().await;
}

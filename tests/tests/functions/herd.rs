//! A herd of single sends over functions that are all cold.

use std::sync::Arc;

use local::runtime_api::Invocation;
use local::stack;
use pushwake::limits::{DRAIN_CONNECTIONS, DRAINS, ENQUEUE_CONNECTIONS};
use tests::backends::Watch;
use tests::product::{Product, event, options};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Fewer in a debug build, whose functions are an order of magnitude slower.
const SENDS: usize = if cfg!(debug_assertions) { 1_000 } else { 5_000 };
/// Enqueues at once: their reserved concurrency.
const ENQUEUES: usize = 16;

#[tokio::test(flavor = "multi_thread")]
async fn c25_a_herd_of_single_sends_keeps_the_connection_budget_and_its_claims_do_not_convoy() {
    let product = Product::with(stack::Options { enqueues: ENQUEUES, ..options().await }).await;
    let watch = Watch::start(&product.database).await;
    let places = Arc::new(Semaphore::new(ENQUEUES));
    let mut calls = JoinSet::new();
    for d in 0..SENDS {
        let (enqueue, places) = (product.stack.enqueue.clone(), places.clone());
        calls.spawn(async move {
            let _place = places.acquire().await.expect("it is never closed");
            enqueue.invoke(event(1, [d]).to_string()).await
        });
    }
    while let Some(called) = calls.join_next().await {
        let called: Invocation = called.expect("a call does not panic");
        assert!(called.is_ok(), "{called:?}");
    }
    product.until(|tally| tally.delivered == SENDS as u64).await;
    product.until_quiet().await;
    let seen = watch.stop().await;
    assert!(seen.peak["drain"] <= (DRAINS as u32 * DRAIN_CONNECTIONS).into(), "{seen:?}");
    assert!(seen.peak["enqueue"] <= (ENQUEUES as u32 * ENQUEUE_CONNECTIONS).into(), "{seen:?}");
    assert_eq!(seen.drains_blocked, 0, "a claim waits for no lock: {seen:?}");
    assert_eq!((product.apns().tally().requests, product.left().await), (SENDS as u64, 0));
    assert_eq!(product.stack.activity().failed, 0);
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

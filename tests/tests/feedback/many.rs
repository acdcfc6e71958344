//! Many messages, and many posters.

use std::time::{Duration, Instant};

use local::stack::FEEDBACK;
use pushwake::limits::{FEEDBACK_OF_DRAIN, FEEDBACK_ROUND};
use tests::product::Product;

use crate::{plant, queue_for_dead_tokens, unposted, unregistered};

#[tokio::test(flavor = "multi_thread")]
async fn the_dead_tokens_of_one_drain_arrive_once_each() {
    let product = Product::without_drains().await;
    queue_for_dead_tokens(&product, 25).await;
    product.drain().await;
    let mut expected: Vec<_> = (0..25).map(|d| format!("d{d}")).collect();
    expected.sort();
    assert_eq!((unregistered(&product), unposted(&product.database).await), (expected, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_long_outage_left_is_posted_by_one_run_of_schedule() {
    const TOKENS: i64 = 3_000;
    let product = Product::without_drains().await;
    plant(&product.database, TOKENS).await;
    assert_eq!(product.schedule().await["feedback_posted"], TOKENS);
    assert_eq!((product.stack.sqs.counts(FEEDBACK).total() as i64, unposted(&product.database).await), (TOKENS, 0));
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_posters_at_once_post_nothing_twice() {
    const TOKENS: usize = 1_000;
    let product = Product::without_drains().await;
    plant(&product.database, TOKENS as i64).await;
    let (one, other) = tokio::join!(product.schedule(), product.schedule());
    let posted = [&one, &other].map(|run| run["feedback_posted"].as_u64().expect("a count"));
    assert_eq!(posted[0] + posted[1], TOKENS as u64, "{one} {other}");
    let mut devices = unregistered(&product);
    devices.dedup();
    assert_eq!((devices.len(), product.stack.sqs.sent(FEEDBACK).len()), (TOKENS, TOKENS));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_does_not_stay_for_a_backlog_of_feedback() {
    const TOKENS: i64 = 20_000;
    let product = Product::without_drains().await;
    product.warm(1).await;
    plant(&product.database, TOKENS).await;
    queue_for_dead_tokens(&product, 1).await;
    product.stack.sqs.on_send(|_| tokio::time::sleep(Duration::from_millis(20)));
    let start = Instant::now();
    product.drain().await;
    let took = start.elapsed();
    // No round begins in the last part of its time, which is for one that is slow.
    assert!(took + FEEDBACK_ROUND < FEEDBACK_OF_DRAIN + Duration::from_secs(5), "{took:?}");
    let left = unposted(&product.database).await;
    assert!(left > 0 && left < TOKENS, "it posts some, and leaves the rest to schedule: {left}");
    product.stop().await;
}

//! Delivery through every function: many drains, drains that die, a backlog that has outlived its notifications.

use std::time::{Duration, Instant};

use local::apns;
use local::stack::{self, DEAD_WAKES, WAKES};
use pushwake::limits::DRAINS;
use serde_json::Value;
use tests::barrier::until;
use tests::product::{Product, options, token};

#[tokio::test(flavor = "multi_thread")]
async fn c05_twelve_drains_deliver_every_event_once_in_order_and_one_at_a_time() {
    const DEVICES: usize = 500;
    // So narrow that it takes all twelve to hold every lane.
    let window = DEVICES.div_ceil(DRAINS).to_string();
    let latency = apns::Latency::Fixed(Duration::from_millis(50));
    let product = Product::with(stack::Options {
        environment: vec![("PUSHWAKE_WINDOW".to_owned(), window)],
        apns: apns::Options { latency, ..apns::Options::default() },
        ..options().await
    })
    .await;
    product.stack.stop_drains().await;
    product.warm(DRAINS).await;
    for n in 1..=3 {
        product.queue(n, 0..DEVICES).await;
    }
    product.apns().gate().close();
    let drains = futures::future::join_all((0..DRAINS).map(|_| product.drain()));
    let opened = async {
        product.until(|tally| tally.in_flight == DEVICES as u64).await;
        product.apns().gate().open();
    };
    tokio::join!(drains, opened);
    let tally = product.apns().tally();
    assert_eq!((tally.requests, tally.delivered), (1_500, 1_500));
    assert_eq!((tally.duplicates, tally.second_flights, tally.order_violations), (0, 0, 0));
    assert_eq!(product.total("delivered").await, 1_500);
    assert_eq!(product.left().await, 0);
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c05_the_row_of_a_killed_drain_comes_back_after_its_lease() {
    let product = Product::start().await;
    product.apns().gate().close();
    product.queue(1, [0]).await;
    product.until(|tally| tally.in_flight == 1).await;
    product.stack.drain.kill_one().await.expect("a drain to kill");
    product.until(|tally| tally.in_flight == 0).await;
    product.apns().gate().open();
    product.drain().await;
    assert_eq!(product.apns().tally().requests, 1, "its lease stands");
    product.database.end_leases().await;
    // Its wake was not acknowledged, and starts the next drain.
    product.stack.sqs.expire_visibility(WAKES);
    product.until(|tally| tally.delivered == 1).await;
    product.until_quiet().await;
    let calls = product.apns().requests_of(&token(0));
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].asked.apns_id, calls[1].asked.apns_id);
    assert_eq!((product.left().await, product.stack.sqs.counts(DEAD_WAKES).total()), (0, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_after_an_outage_the_fresh_event_goes_out_at_once_and_none_that_expired() {
    const EXPIRED: u64 = 10_000;
    let product = Product::without_drains().await;
    product.warm(1).await;
    for n in 1..=EXPIRED / 500 {
        let first = n as usize * 500;
        product.queue(n, first..first + 500).await;
    }
    let age = "interval '10 min'";
    product
        .database
        .execute(&format!(
            "update notifications set send_at = send_at - {age}, expires_at = expires_at - {age};
             update lanes set head_at = head_at - {age}, due_at = due_at - {age}, tail_at = tail_at - {age}"
        ))
        .await;
    product.queue(99, [0]).await;
    // 100 s of its life are over.
    product
        .database
        .execute("update notifications set expires_at = expires_at - interval '100 s' where event = 'e99'")
        .await;
    let expires: i64 = product
        .database
        .count("select floor(extract(epoch from expires_at))::bigint from notifications where event = 'e99'")
        .await;
    let woken = Instant::now();
    product.stack.start_drains();
    product.until(|tally| tally.delivered == 1).await;
    let fresh = product.apns().requests().remove(0);
    let took = fresh.start.duration_since(woken);
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!((fresh.n, fresh.asked.expiration), (Some(99), Some(expires.to_string())));
    until(|| async { product.left().await < EXPIRED as i64 / 2 }).await;
    // The rest is pruned.
    product.stack.stop_drains().await;
    let pruned: Value = product.schedule().await;
    let counted = product.total("expired").await + pruned["expired"].as_u64().expect("a count");
    assert_eq!(counted, EXPIRED);
    assert_eq!((product.apns().tally().requests, product.left().await), (1, 0));
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

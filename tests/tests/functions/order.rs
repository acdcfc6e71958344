//! Order through every function: a head that waits for its retry, its dismissal, and a provider that keeps silent.

use std::time::Duration;

use local::apns::{End, Reply};
use pushwake::contract::{Status, WakeStatus};
use pushwake::limits::{LEASE, SEND_TIMEOUT};
use serde_json::{Value, json};
use tests::product::{Product, event, token};

/// What was sent to a device: the event's number; 0 for the silent push of a dismissal.
fn sent_to(product: &Product, device: usize) -> Vec<u64> {
    product.apns().requests_of(&token(device)).iter().map(|request| request.n.unwrap_or(0)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn c22_nothing_overtakes_a_head_that_is_retried_and_after_its_dismissal_it_is_not_sent_again() {
    let product = Product::without_drains().await;
    for device in [0, 1] {
        product.apns().script(&token(device), [Reply::status(503, "ServiceUnavailable").retry_after("60")]);
    }
    product.queue(1, [0, 1]).await;
    product.drain().await;
    assert_eq!(product.queue(2, [0, 1]).await.wake, WakeStatus::NotNeeded, "a head stands before it");
    product.drain().await;
    let mut dismissal = event(1, [0]);
    dismissal["kind"] = json!("dismiss");
    dismissal["notification"] = Value::Null;
    assert_eq!(product.enqueue(&dismissal).await.results[0].status, Status::Dismissed);
    product.drain().await;
    assert_eq!(product.apns().tally().requests, 2, "the delay that the provider asked for outlives the head");
    product.database.make_due().await;
    product.drain().await;
    assert_eq!(sent_to(&product, 0), [1, 2, 0]);
    assert_eq!(sent_to(&product, 1), [1, 1, 2]);
    let late = product.enqueue(&event(1, [0, 1])).await;
    let statuses = [late.results[0].status, late.results[1].status];
    assert_eq!(statuses, [Status::Dismissed, Status::Duplicate]);
    product.drain().await;
    assert_eq!((product.apns().tally().requests, product.left().await), (6, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c40_a_silent_provider_is_given_up_before_the_lease_ends_and_other_devices_go_on() {
    const OTHERS: usize = 20;
    let product = Product::start().await;
    product.apns().script(&token(0), [Reply::hang()]);
    for n in 1..=3 {
        product.queue(n, 0..=OTHERS).await;
    }
    let others = 3 * OTHERS as u64;
    let tally = product.until(|tally| tally.delivered == others).await;
    assert_eq!(tally.in_flight, 1, "the silent one");
    // Its stream is reset, and its retry, whose wake may come two seconds later, is answered.
    product.until(|tally| tally.delivered == others + 3).await;
    assert_eq!(sent_to(&product, 0), [1, 1, 2, 3]);
    let calls = product.apns().requests_of(&token(0));
    let (ended, how) = calls[0].end.clone().expect("it was given up");
    let flight = ended.duration_since(calls[0].start);
    assert_eq!(how, End::Reset);
    assert!(flight + Duration::from_secs(1) > SEND_TIMEOUT && flight < LEASE, "{flight:?}");
    assert_eq!(calls[0].asked.apns_id, calls[1].asked.apns_id);
    product.until_quiet().await;
    let tally = product.apns().tally();
    assert_eq!((tally.second_flights, tally.order_violations), (0, 0));
    assert_eq!(product.total("ambiguous").await, 1);
    product.stop().await;
}

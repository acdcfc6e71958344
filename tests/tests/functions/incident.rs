//! The incident: more arrives than a few drains of one send each can hand to a slow provider, for longer than it lives.

use std::sync::Arc;
use std::time::Duration;

use local::apns::{self, Latency};
use local::runtime_api::Line;
use local::sqs::{Answer, Mapping, MappingSettings};
use local::stack::{self, WAKES};
use pushwake::limits::DRAINS;
use serde_json::json;
use tests::barrier::until;
use tests::product::{Product, event, options};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::sync::Mutex;
use tokio::time::{Instant, interval};

/// What the provider takes for one send.
const PROVIDER: Duration = Duration::from_millis(100);
/// Five devices that often are 45/s: above the 40/s that four sends at a time can be at the very best.
const EVERY: Duration = Duration::from_millis(111);
const AT_ONCE: usize = 5;
/// The life of a notification, which is minutes in the field.
const LIFE: Duration = Duration::from_secs(2);
/// Four lives: what is too slow has fallen behind by then.
const LONG: Duration = Duration::from_secs(8);

async fn product(drains: usize, window: Option<usize>) -> Product {
    let environment = window.map(|window| ("PUSHWAKE_WINDOW".to_owned(), window.to_string()));
    let apns = apns::Options { latency: Latency::Fixed(PROVIDER), ..apns::Options::default() };
    let environment = environment.into_iter().collect();
    let product = Product::with(stack::Options { drains, environment, apns, ..options().await }).await;
    product.warm(drains).await;
    product
}

/// Queues at the incident's rate until `over`; answers how many.
async fn arrive(product: &Product, mut over: impl AsyncFnMut() -> bool) -> u64 {
    let mut ticks = interval(EVERY);
    let mut arrived = 0;
    while !over().await {
        ticks.tick().await;
        let mut request = event(1, arrived..arrived + AT_ONCE);
        let expires = (OffsetDateTime::now_utc() + LIFE).format(&Rfc3339).expect("a time");
        request["expires_at"] = json!(expires);
        product.enqueue(&request).await;
        arrived += AT_ONCE;
    }
    arrived as u64
}

async fn arrive_for_long(product: &Product) -> u64 {
    let start = Instant::now();
    arrive(product, async || start.elapsed() >= LONG).await
}

/// Everything that arrived is delivered.
async fn assert_none_expires(product: &Product, arrived: u64) {
    until(|| async { product.left().await == 0 }).await;
    assert_eq!(product.apns().tally().delivered, arrived);
}

#[tokio::test(flavor = "multi_thread")]
async fn c51_twelve_drains_of_one_send_each_let_none_expire() {
    let product = product(DRAINS, Some(1)).await;
    let arrived = arrive_for_long(&product).await;
    assert_none_expires(&product, arrived).await;
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c51_four_drains_of_one_send_each_let_some_expire() {
    let product = product(4, Some(1)).await;
    let start = Instant::now();
    let expires = |line: &Line| line.text.contains(r#""outcome":"expired""#);
    let over = async || product.stack.drain.output().find(expires).is_some() || start.elapsed() > 3 * LONG;
    arrive(&product, over).await;
    assert!(product.stack.drain.output().find(expires).is_some(), "{:?}", product.apns().tally());
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c51_one_drain_of_the_default_window_lets_none_expire() {
    let product = product(2, None).await;
    product.stack.stop_drains().await;
    let drain = product.stack.drain.clone();
    let one = Arc::new(Mutex::new(()));
    let mapping = Mapping::start(&product.stack.sqs, WAKES, MappingSettings::of(2), move |event| {
        let (drain, one) = (drain.clone(), one.clone());
        async move {
            let _at_a_time = one.lock().await;
            drain.invoke(event.payload).await.answer().map_or(Answer::Failed, Answer::Success)
        }
    });
    let arrived = arrive_for_long(&product).await;
    assert_none_expires(&product, arrived).await;
    mapping.stop().await;
    product.stop().await;
}

//! Pauses, from the provider's verdict to the product.

use local::apns::Reply;
use local::sqs::Fault;
use local::stack::{self, APP};
use pushwake::contract::AppId;
use pushwake::feedback::Feedback;
use serde_json::{Map, json};
use tests::product::{Product, options};

use crate::{messages, unposted};

fn refused() -> Reply {
    Reply::status(403, "InvalidProviderToken")
}

/// The time of the pause comes, and the drain sends its probe.
async fn probe(product: &Product) {
    product.database.execute("update pauses set until = clock_timestamp() - interval '1 ms'").await;
    product.database.make_due().await;
    product.drain().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_arrives_with_its_reason_then_its_growth_then_its_end() {
    let product = Product::without_drains().await;
    product.apns().answer_all(refused());
    product.queue(1, [0]).await;
    product.drain().await;
    probe(&product).await;
    product.apns().answer_all(Reply::delivered());
    probe(&product).await;
    assert_eq!(product.apns().tally().delivered, 1);
    let messages = messages(&product);
    let [first, second, third] = &messages[..] else { panic!("{messages:?}") };
    for (pause, seconds) in [(first, 10), (second, 20)] {
        let Feedback::Paused { app, reason, time, until } = pause else { panic!("{pause:?}") };
        assert_eq!((app.as_str(), reason.as_str()), (APP, "InvalidProviderToken"));
        assert_eq!((*until - *time).whole_seconds(), seconds);
    }
    let Feedback::Resumed { app, reason, .. } = third else { panic!("{third:?}") };
    assert_eq!((app.as_str(), reason.as_str()), (APP, "InvalidProviderToken"));
    assert_eq!(unposted(&product.database).await, 0);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_that_ended_while_the_queue_was_away_is_told_by_its_end() {
    let product = Product::without_drains().await;
    product.apns().answer_all(refused());
    product.queue(1, [0]).await;
    product.stack.sqs.set_fault(Some(Fault::Fail));
    product.drain().await;
    product.apns().answer_all(Reply::delivered());
    probe(&product).await;
    assert_eq!((messages(&product).len(), unposted(&product.database).await), (0, 1));
    product.stack.sqs.set_fault(None);
    assert_eq!(product.schedule().await["feedback_posted"], 1);
    let messages = messages(&product);
    assert!(
        matches!(&messages[..], [Feedback::Resumed { app, reason, .. }]
            if app.as_str() == APP && reason == "InvalidProviderToken"),
        "{messages:?}"
    );
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_whose_key_can_not_be_read_is_told_as_paused() {
    let app = json!({"platform": "apns", "topic": "com.example.app", "environment": "sandbox", "team": "TEAM123456",
        "key_id": "KEY1234567", "key": "file:/nowhere/key.p8"});
    let apps = Map::from_iter([("ios".to_owned(), app)]);
    let product = Product::with(stack::Options { apps, ..options().await }).await;
    product.stack.stop_drains().await;
    product.drain().await;
    let messages = messages(&product);
    assert!(
        matches!(&messages[..], [Feedback::Paused { app, reason, .. }]
            if *app == AppId::from("ios") && reason == "UnreadableKey"),
        "{messages:?}"
    );
    product.stop().await;
}

//! The whole product behind `PgBouncer` in transaction mode.

use local::apns::Reply;
use local::postgres::Pooler;
use local::stack;
use pushwake::contract::Status;
use serde_json::json;
use tests::database::cluster;
use tests::pooler::{Session, sessions};
use tests::product::{Product, event, options, token};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PgBouncer, which `.ci/run` installs before it runs this"]
async fn c2s_behind_a_transaction_pooler_all_is_delivered_and_no_session_keeps_anything() {
    const DEVICES: usize = 60;
    let pooler = Pooler::start(cluster().await, 2).await.expect("a pooler starts");
    let environment = vec![("PUSHWAKE_SOURCE_QUOTA".to_owned(), "1000".to_owned())];
    let product = Product::with(stack::Options { pooler: Some(pooler.clone()), environment, ..options().await }).await;
    let behind = product.stack.connect_options().port(pooler.port()).extra_float_digits(None);
    // From now on there are two, and they take turns.
    sessions(&behind).await;
    product.apns().script(&token(0), [Reply::gone("Unregistered", 1_767_225_600_000)]);
    product.apns().script(&token(1), [Reply::refuse()]);
    for n in 1..=3 {
        product.queue(n, 1..DEVICES).await;
    }
    product.queue(1, [0]).await;
    let dismissal = product
        .enqueue(&json!({"source": "tests", "event": "e1", "kind": "dismiss",
        "devices": event(1, [5])["devices"]}))
        .await;
    assert!(dismissal.results.iter().all(|result| result.status != Status::Invalid), "{dismissal:?}");
    product.schedule().await;
    let repeated = product.enqueue(&event(3, [2])).await;
    assert_eq!(repeated.results[0].status, Status::Duplicate);
    product.database.make_due().await;
    product.schedule().await;
    tests::barrier::until(|| async { product.left().await == 0 }).await;
    product.until_quiet().await;
    let tally = product.apns().tally();
    assert_eq!((tally.second_flights, tally.order_violations, tally.duplicates), (0, 0, 0), "{tally:?}");
    assert_eq!((product.stack.activity().failed, product.errors()), (0, Vec::new()));
    let after = sessions(&behind).await;
    assert!(after.iter().all(Session::is_clean), "{after:?}");
    product.stop().await;
}

//! What of it is written.

use local::provider::Reply;
use local::stack;
use serde_json::Value;
use tests::barrier::until;
use tests::metrics::on;
use tests::product::{Product, lines, options, token};

use super::points;

const DEVICES: usize = 60;

/// Delivers to all devices but one, which refuses; answers the outcome lines.
async fn outcomes(environment: Vec<(String, String)>) -> (Product, Vec<Value>) {
    let product = Product::with(stack::Options { environment, ..options().await }).await;
    product.apns().script(&token(0), [Reply::status(413, "PayloadTooLarge")]);
    product.queue(1, 0..DEVICES).await;
    until(|| async { product.left().await == 0 }).await;
    product.until_quiet().await;
    assert_eq!(product.total("delivered").await, (DEVICES - 1) as u64, "the summaries count all");
    let outcomes = lines(&product.stack.drain, "attempt");
    (product, outcomes)
}

fn with(outcomes: &[Value], outcome: &str) -> usize {
    outcomes.iter().filter(|line| line["outcome"] == outcome).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_leaves_out_delivered_lines_and_nothing_else() {
    let (product, outcomes) = outcomes(vec![on(), ("DELIVERED_SAMPLE".to_owned(), "0".to_owned())]).await;
    assert_eq!((with(&outcomes, "delivered"), with(&outcomes, "rejected")), (0, 1));
    assert_eq!(points(&product.stack).sum("delivered", &[]), (DEVICES - 1) as u64, "the metrics count all");
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_namespace_there_are_no_metrics_and_without_a_sample_all_lines() {
    let (product, outcomes) = outcomes(Vec::new()).await;
    assert_eq!((with(&outcomes, "delivered"), with(&outcomes, "rejected")), (DEVICES - 1, 1));
    product.schedule().await;
    assert_eq!(points(&product.stack).0, []);
    product.stop().await;
}

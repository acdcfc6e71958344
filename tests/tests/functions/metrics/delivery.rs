//! What was delivered and what was not, of each app.

use std::collections::HashSet;

use local::apns::{Authority, Options, Server};
use local::provider::Reply;
use local::stack::{self, APP};
use pushwake::function::metric::Metric;
use pushwake::limits::ID_LENGTH;
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::barrier::until;
use tests::metrics::on;
use tests::product::{Product, event, options, token};

use super::points;

/// An app of the longest name there is, beside the stack's own; its server, and the folder of its key.
async fn product(app: &str) -> (Product, Server, TempDir) {
    let authority = Authority::new().expect("a CA");
    let server = Server::start_under(&authority, Options::default()).await.expect("the server starts");
    let folder = TempDir::new().expect("a folder");
    let credentials = server.write_credentials(folder.path()).expect("written");
    let mut options = stack::Options { environment: vec![on()], ..options().await };
    options.apps.insert(app.to_owned(), server.app(&credentials));
    options.environment.push(("PUSHWAKE_PROVIDER_CA".to_owned(), credentials.ca.display().to_string()));
    (Product::with(options).await, server, folder)
}

fn request(n: u64, app: &str, devices: impl IntoIterator<Item = usize>) -> Value {
    let mut request = event(n, devices);
    for device in request["devices"].as_array_mut().expect("devices") {
        device["app"] = json!(app);
    }
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_of_an_app_with_the_longest_name_are_the_sums_of_what_was_delivered() {
    const DEVICES: usize = 230;
    let long = "a".repeat(ID_LENGTH);
    let (product, server, _folder) = product(&long).await;
    server.script(&token(1), [Reply::status(413, "PayloadTooLarge")]);
    server.script(&token(2), [Reply::status(410, "Unregistered")]);
    server.script(&token(3), [Reply::status(503, "Shutdown").retry_after("1"), Reply::delivered()]);
    product.enqueue(&request(1, &long, 0..DEVICES)).await;
    let over = (DEVICES + 1) as u64;
    until(|| async { server.tally().requests >= over && product.left().await == 0 }).await;
    product.until_quiet().await;
    product.summaries().await;
    until(|| async { points(&product.stack).sum("queued", &[]) >= DEVICES as u64 }).await;
    let points = points(&product.stack);
    let app = [("app", long.as_str())];
    let outcome = |outcome| points.sum("outcomes", &[("app", &long), ("outcome", outcome)]);
    let tally = server.tally();
    assert_eq!(tally.requests, over);
    assert_eq!([outcome("delivered"), outcome("rejected"), outcome("unregistered")], [(DEVICES - 2) as u64, 1, 1]);
    assert!(outcome("retried") >= 1);
    let metrics = ["delivered", "rejected", "unregistered", "retried"];
    assert_eq!(metrics.map(|metric| points.sum(metric, &[])), metrics.map(outcome), "one app has them all");
    assert_eq!(points.sum("claimed", &[]), points.sum("claimed", &app));
    assert_eq!(points.values("send_ms", &app).len() as u64, tally.requests, "every send was measured");
    assert_eq!(points.sum("queued", &[]), DEVICES as u64);
    assert!(points.sum("wake_posted", &[]) >= 2, "of enqueue, and of the drain for its retry");
    assert_eq!(points.sum("wake_failed", &[]), 0);
    assert!(points.values("in_flight_peak", &[]).into_iter().any(|peak| peak >= 2));
    // A held-back wake leaves its delay out; a busy machine may take long.
    let waited = points.values("wake_to_first_claim", &[]);
    assert!(!waited.is_empty() && waited.iter().all(|ms| (0..120_000).contains(ms)), "{waited:?}");
    assert!(points.series_of(&long).len() <= 40);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_expired_or_was_never_there_is_counted_and_so_is_the_start_of_every_process() {
    let product = Product::with(stack::Options { environment: vec![on()], ..options().await }).await;
    product.stack.stop_drains().await;
    product.queue_in_silence(1, 0..3).await;
    product.database.execute("update notifications set expires_at = clock_timestamp()").await;
    product.drain().await;
    product.drain().await;
    product.summaries().await;
    until(|| async { points(&product.stack).sum("queued", &[]) >= 3 }).await;
    let points = points(&product.stack);
    assert_eq!((points.sum("expired", &[]), points.sum("claimed", &[])), (3, 3));
    assert_eq!(points.sum("outcomes", &[("app", APP), ("outcome", "expired")]), 3);
    assert_eq!(points.sum("empty_drains", &[]), 1);
    assert!(points.values("send_ms", &[("app", APP)]).is_empty(), "nothing was sent");
    assert!(points.values("wake_to_first_claim", &[]).is_empty(), "these wakes say no time");
    let processes = product.stack.drain.pids().len() + product.stack.enqueue.pids().len();
    assert_eq!(points.sum("cold_starts", &[]), processes as u64);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_metric_has_the_unit_and_the_dimensions_of_the_table() {
    let product = Product::with(stack::Options { environment: vec![on()], ..options().await }).await;
    product.queue(1, 0..20).await;
    product.until(|tally| tally.delivered >= 20).await;
    product.until_quiet().await;
    product.schedule().await;
    product.summaries().await;
    until(|| async { !points(&product.stack).values("dead_tuples", &[]).is_empty() }).await;
    let points = points(&product.stack);
    let mut seen = HashSet::new();
    for point in &points.0 {
        let metric = Metric::ALL.iter().find(|metric| metric.as_str() == point.metric).expect("a metric of the table");
        let own: Vec<_> = point.dimensions.iter().map(|(name, _)| name.as_str()).collect();
        let sets = metric.dimensions().iter();
        let known = sets.map(|set| set.iter().map(|dimension| dimension.as_str()).collect::<Vec<_>>());
        assert!(known.into_iter().any(|set| set == own), "{point:?}");
        assert_eq!(point.unit, metric.unit().as_str());
        seen.insert(point.metric.as_str());
    }
    assert!(seen.len() >= 15, "{seen:?}");
    product.stop().await;
}

//! The real function binaries over real Postgres and SQS: one database, endpoint and set of instances per test.

mod apps;
mod cost;
mod database;
mod delivery;
mod enqueue;
mod fcm;
mod herd;
mod iam;
mod incident;
mod log_lines;
mod metrics;
mod operator;
mod order;
mod pooled;
mod rotation;
mod schedule;
mod start;
mod tls;
mod wakes;
mod webpush;

use local::stack::{Options, Stack};
use serde_json::{Map, Value, json};
use tests::product::options;

/// A stack without drains and without the minute of schedule: what is queued stays where a test can look at it.
async fn stack(environment: &[(&str, &str)]) -> Stack {
    let options = Options {
        apps: apps(),
        environment: environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        ..options().await
    };
    let stack = Stack::start(options).await.expect("a stack starts");
    stack.stop_drains().await;
    stack
}

fn apps() -> Map<String, Value> {
    let app = |topic: &str| {
        json!({"platform": "apns", "topic": topic, "environment": "sandbox", "team": "TEAM123456",
            "key_id": "KEY1234567", "key": "file:/nowhere/key.p8"})
    };
    Map::from_iter([("ios".to_owned(), app("com.example.app")), ("ipad".to_owned(), app("com.example.pad"))])
}

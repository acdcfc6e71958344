//! What a function logged.

use std::time::Duration;

use local::runtime_api::{Function, Stream};
use serde_json::Value;

/// All lines of the log, each one JSON object, as soon as there are `n` of them: an instance's last lines may arrive
/// after its answer.
pub async fn log_lines(function: &Function, n: usize) -> Vec<Value> {
    let waited = tokio::time::timeout(Duration::from_secs(10), async {
        while function.output().lines().len() < n {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let lines = if waited.await.is_ok() { function.output().lines() } else { panic!("fewer than {n} lines") };
    assert!(lines.iter().all(|line| line.stream == Stream::Out), "{lines:?}");
    lines.iter().map(|line| serde_json::from_str(&line.text).expect("a line is one JSON object")).collect()
}

//! A product with two APNs apps on two simulated servers.

use std::path::PathBuf;

use local::apns::{Authority, Options, Server};
use local::stack;
use pushwake::contract::Status;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tests::product::{Product, options, token};

/// The app that nothing is wrong with.
pub const GOOD: &str = "good";
/// The app that a test breaks.
pub const BAD: &str = "bad";

pub struct TwoApps {
    pub product: Product,
    pub good: Server,
    pub bad: Server,
    folder: TempDir,
}

impl TwoApps {
    /// Both work.
    pub async fn start() -> Self {
        let two = Self::without_key().await;
        two.write_key();
        two
    }

    /// The key of one of them is missing.
    pub async fn without_key() -> Self {
        let authority = Authority::new().expect("a CA");
        let start = async || Server::start_under(&authority, Options::default()).await.expect("the server starts");
        let (good, bad) = (start().await, start().await);
        let folder = TempDir::new().expect("a folder");
        let credentials = good.write_credentials(folder.path()).expect("written");
        let mut broken = bad.app(&credentials);
        broken["key"] = format!("file:{}", key_of(&folder).display()).into();
        let options = stack::Options {
            apps: Map::from_iter([(GOOD.to_owned(), good.app(&credentials)), (BAD.to_owned(), broken)]),
            environment: vec![("PUSHWAKE_PROVIDER_CA".to_owned(), credentials.ca.display().to_string())],
            ..options().await
        };
        Self { product: Product::with(options).await, good, bad, folder }
    }

    /// Writes the key that was missing.
    pub fn write_key(&self) {
        std::fs::write(key_of(&self.folder), self.bad.key_pem()).expect("written");
    }

    /// Queues one event for each of `n` devices of an app.
    pub async fn queue(&self, event: u64, app: &str, n: usize) {
        let devices: Vec<Value> =
            (0..n).map(|d| json!({"id": format!("d{d}"), "app": app, "token": token(d)})).collect();
        for devices in devices.chunks(500) {
            let request = json!({"source": "tests", "event": format!("{app}-{event}"), "devices": devices,
                "notification": {"title": "title", "data": {"n": event}}});
            let response = self.product.enqueue(&request).await;
            assert!(response.results.iter().all(|result| result.status == Status::Queued), "{response:?}");
        }
    }

    /// Rows of an app that wait in the queue.
    pub async fn left(&self, app: &str) -> i64 {
        self.product.database.count(&format!("select count(*) from notifications where app = '{app}'")).await
    }

    /// Rows in `pauses` that fulfil a condition.
    pub async fn paused(&self, condition: &str) -> i64 {
        self.product.database.count(&format!("select count(*) from pauses where {condition}")).await
    }

    /// As time would: the pause is over, and so is every backoff.
    pub async fn end_pause(&self) {
        let over = "update pauses set until = clock_timestamp() - interval '1 ms' where probe_until = '-infinity'";
        self.product.database.execute(over).await;
        self.product.database.make_due().await;
    }

    pub async fn stop(self) {
        self.product.stop().await;
        self.good.shutdown().await;
        self.bad.shutdown().await;
    }
}

fn key_of(folder: &TempDir) -> PathBuf {
    folder.path().join("bad.p8")
}

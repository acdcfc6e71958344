//! The page of `pushwake up`.

mod browser;
mod chromium;
mod hostile;
mod stories;
mod traffic;

use std::time::Duration;

use local::up::{Port, Serving};
use tests::http::get;
use tests::product::{Product, options};
use tokio::time::{Instant, sleep};

/// A product that is served, page and all.
struct Served {
    product: Product,
    serving: Serving,
}

impl Served {
    async fn start() -> Self {
        Self::with(options().await).await
    }

    async fn with(options: local::stack::Options) -> Self {
        let product = Product::with(options).await;
        let serving = Serving::start(Port::take(0).await.expect("a free port"), &product.stack);
        Self { product, serving }
    }

    /// Waits until a page shows all of this, and answers it; panics with the page otherwise.
    async fn shows(&self, path: &str, all: &[&str]) -> String {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            let body = get(self.serving.address(), path).await.body;
            let missing: Vec<_> = all.iter().filter(|text| !body.contains(**text)).collect();
            if missing.is_empty() {
                return body;
            }
            assert!(Instant::now() < deadline, "{path} does not show {missing:?}: {body}");
            sleep(Duration::from_millis(20)).await;
        }
    }

    async fn stop(self) {
        drop(self.serving);
        self.product.stop().await;
    }
}

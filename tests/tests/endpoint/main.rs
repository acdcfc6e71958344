//! The one port of `pushwake up`, as AWS tools use it.

mod door;
mod events;
mod invocations;
mod queues;
mod received;

use aws_sdk_lambda::primitives::Blob;
use local::stack::Options;
use local::up::{Port, Serving};
use serde_json::{Value, json};
use tests::product::{Product, options};
use tests::sdk::sdk;

/// A product that is served.
struct Served {
    product: Product,
    serving: Serving,
    lambda: aws_sdk_lambda::Client,
}

impl Served {
    async fn start() -> Self {
        Self::with(options().await).await
    }

    async fn with(options: Options) -> Self {
        let product = Product::with(options).await;
        let port = Port::take(0).await.expect("a free port");
        let serving = Serving::start(port, &product.stack);
        // An answer is what is tested, not the patience of the client.
        let config = aws_sdk_lambda::config::Builder::from(&sdk(serving.url()));
        let config = config.retry_config(aws_sdk_lambda::config::retry::RetryConfig::disabled()).build();
        Self { product, serving, lambda: aws_sdk_lambda::Client::from_conf(config) }
    }

    async fn stop(self) {
        drop(self.serving);
        self.product.stop().await;
    }
}

/// What enqueue is invoked with for one device.
fn event(n: u64) -> Blob {
    payload(&tests::product::event(n, [0]))
}

fn payload(document: &Value) -> Blob {
    Blob::new(document.to_string())
}

/// A call that enqueue refuses as a whole.
fn refused() -> Blob {
    payload(&json!({"source": "tests", "devices": "none"}))
}

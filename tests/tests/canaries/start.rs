//! Passwords and keys that are of no use.

use local::runtime_api::{Function, Settings};
use local::stack;
use serde_json::json;
use tempfile::TempDir;
use tests::database::cluster;
use tests::product::{Product, options, until_line};

use crate::{CANARY, Canaries, at_trace, written};

/// What looks like a password, in a file and, by mistake, in the environment itself.
#[tokio::test(flavor = "multi_thread")]
async fn c36s_a_password_is_in_no_output_whether_it_is_refused_or_pasted_in() {
    let port = cluster().await.port().to_string();
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("password");
    std::fs::write(&file, format!("{CANARY}-password")).expect("written");
    let reference = format!("file:{}", file.display());
    let binaries = local::build::functions().expect("the functions build");
    for (name, binary) in [("schedule", &binaries.schedule), ("migrate", &binaries.migrate)] {
        for password in [reference.as_str(), "CANARY-pasted", "CANARY:pasted"] {
            let mut settings = Settings::new(name, binary);
            let own = [
                ("DATABASE_HOST", "127.0.0.1"),
                ("DATABASE_PORT", &port),
                ("DATABASE_NAME", "there_is_none"),
                ("DATABASE_USER", "nobody"),
                ("DATABASE_PASSWORD", password),
                ("DATABASE_TLS", "off"),
                ("WAKE_QUEUE_URL", "http://127.0.0.1:1/000000000000/wakes"),
            ];
            let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
            settings.environment = own.into_iter().chain(at_trace()).collect();
            let function = Function::start(settings);
            let ended = function.invoke("{}").await;
            assert!(!ended.is_ok(), "{name}");
            Canaries::new([]).are_in_none([ended.to_string()]);
            function.shutdown().await;
            Canaries::new([]).are_in_none(written(&function));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c36s_a_key_that_is_none_is_in_no_output() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("key");
    std::fs::write(&file, format!("-----BEGIN PRIVATE KEY-----\n{CANARY}{CANARY}\n-----END PRIVATE KEY-----\n"))
        .expect("written");
    let key = format!("file:{}", file.display());
    let apps = json!({
        "broken-ios": {"platform": "apns", "topic": "com.example.app", "environment": "production",
            "team": "TEAM123456", "key_id": "KEY1234567", "key": key, "base_url": "https://127.0.0.1:1"},
        "broken-android": {"platform": "fcm", "project": "project", "key": key, "base_url": "https://127.0.0.1:1"},
    });
    let apps = apps.as_object().expect("an object").clone();
    let product = Product::with(stack::Options { apps, environment: at_trace(), ..options().await }).await;
    product.queue(1, [0]).await;
    product.drain().await;
    until_line(&product.stack.drain, "broken-ios").await;
    until_line(&product.stack.drain, "broken-android").await;
    Canaries::new([]).are_in_no_output(&product.stack);
    product.stop().await;
}

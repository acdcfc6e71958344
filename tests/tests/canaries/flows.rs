//! What providers answer and callers ask for.

use local::provider::Reply;
use local::stack;
use pushwake::contract::Status;
use serde_json::{Value, json};
use tests::barrier::until;
use tests::product::{Product, options};

use crate::platform::Platform;
use crate::{CANARY, Canaries, at_trace};

/// Success, retry, rejection, a dead token, an unheard-of reason, a lost connection, refused streams, a redirect, and
/// what is no protocol at all. Each quotes a canary, as a provider may quote what it was sent. The last pauses the app.
fn replies() -> Vec<Vec<Reply>> {
    vec![
        vec![Reply::delivered()],
        vec![Reply::raw(503, CANARY).retry_after("1"), Reply::delivered()],
        vec![Reply::raw(413, CANARY)],
        vec![Reply::raw(400, format!(r#"{{"reason":"{CANARY} 1","error":{{"message":"{CANARY}"}}}}"#))],
        vec![Reply::raw(410, format!(r#"{{"reason":"{CANARY} 1"}}"#))],
        vec![Reply::close(), Reply::delivered()],
        vec![Reply::refuse(), Reply::delivered()],
        vec![Reply::raw(307, CANARY)],
        vec![Reply::raw(403, format!(r#"{{"reason":"{CANARY} 1"}}"#))],
    ]
}

fn request(event: usize, devices: &[Value]) -> Value {
    json!({"source": "tests", "event": format!("e{event}"), "devices": devices,
        "notification": {"title": CANARY, "body": CANARY, "data": {"CANARY": CANARY}, "collapse_id": CANARY,
            "image": format!("https://example.com/{CANARY}"), "thread": CANARY, "sound": CANARY}})
}

async fn sent(product: &Product, platform: Platform) -> Vec<String> {
    let mut secrets = vec![platform.key(&product.stack)];
    for (n, replies) in replies().into_iter().enumerate() {
        platform.script(&product.stack, n, replies);
        let (device, of_device) = platform.device(&product.stack, n);
        secrets.extend(of_device);
        let response = product.enqueue(&request(n, &[device])).await;
        assert_eq!(response.results[0].status, Status::Queued, "{platform:?} {response:?}");
    }
    let requests = replies().iter().map(|replies| replies.len() as u64).sum();
    // Backoffs end as time would end them; a pause that one of the answers wrote must not hold the others back.
    until(|| async {
        product.database.execute("update pauses set until = clock_timestamp() where until > clock_timestamp()").await;
        product.database.make_due().await;
        product.drain().await;
        let asked =
            tokio::time::timeout(std::time::Duration::from_millis(1), platform.until_asked(&product.stack, requests));
        asked.await.is_ok()
    })
    .await;
    secrets
}

async fn through(platform: Platform) {
    let product = Product::with(stack::Options { environment: at_trace(), ..options().await }).await;
    let secrets = sent(&product, platform).await;
    malformed(&product, platform).await;
    product.schedule().await;
    product.drain().await;
    Canaries::new(secrets).are_in_no_output(&product.stack);
    product.stop().await;
}

/// Whatever a caller gets wrong is named by its path, never by its value.
async fn malformed(product: &Product, platform: Platform) {
    let app = platform.app();
    for device in [
        json!({"id": "d", "app": app, "token": format!("{CANARY} {CANARY}")}),
        json!({"id": "d", "app": app, "token": 7, "CANARY": CANARY}),
        json!({"id": "d", "app": app, "subscription": {"endpoint": format!("http://{CANARY}/"), "keys": CANARY}}),
        json!({"id": CANARY, "app": format!("{CANARY}\u{0}"), "token": CANARY}),
        json!([CANARY]),
    ] {
        let response = product.enqueue(&request(100, &[device])).await;
        assert_eq!(response.results[0].status, Status::Invalid, "{response:?}");
    }
    for broken in [json!(CANARY), json!({"event": {"CANARY": CANARY}}), json!({"devices": CANARY, "CANARY": 1})] {
        // The whole call is at fault; what it is told says where, and quotes nothing.
        let refused = product.stack.enqueue(&broken).await.expect_err("no request").to_string();
        assert!(!refused.contains(&format!("\"{CANARY}\"")) && !refused.is_empty(), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c36s_canaries_of_apns_are_in_no_output() {
    through(Platform::Apns).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c36s_canaries_of_fcm_are_in_no_output_of_the_same_flows() {
    through(Platform::Fcm).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c36s_canaries_of_web_push_are_in_no_output_of_the_same_flows() {
    through(Platform::WebPush).await;
}

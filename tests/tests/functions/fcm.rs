//! FCM through the real functions.

use local::fcm::Reply;
use local::stack::{ANDROID, APP, Options};
use pushwake::contract::Status;
use serde_json::{Value, json};
use tests::product::{Product, options, token};

/// E(n) for one Android device.
fn event(n: u64, token: &str) -> Value {
    let device = json!({"id": "ada", "app": ANDROID, "token": token});
    json!({"source": "tests", "event": format!("e{n}"), "devices": [device],
        "notification": {"title": "title", "data": {"n": n.to_string()}}})
}

async fn statuses(product: &Product, request: &Value) -> Vec<(Status, Option<String>)> {
    let response = product.enqueue(request).await;
    response.results.into_iter().map(|result| (result.status, result.field)).collect()
}

#[tokio::test]
async fn a_token_that_is_dead_is_answered_at_once_and_so_is_no_other() {
    let product = Product::start().await;
    let fcm = &product.stack.fcm;
    fcm.script("token-1", [Reply::status(404, "UNREGISTERED")]);
    assert_eq!(statuses(&product, &event(1, "token-1")).await, [(Status::Queued, None)]);
    fcm.wait_until(|tally| tally.requests == 1).await;
    product.until_quiet().await;
    assert_eq!(statuses(&product, &event(2, "token-1")).await, [(Status::Unregistered, None)]);
    assert_eq!(statuses(&product, &event(3, "token-2")).await, [(Status::Queued, None)]);
    fcm.wait_until(|tally| tally.delivered == 1).await;
    product.stop().await;
}

#[tokio::test]
async fn values_that_are_no_strings_are_the_android_devices_fault_alone() {
    let product = Product::without_drains().await;
    let mut request = event(1, "token-1");
    request["notification"]["data"]["order"] = json!(17);
    let phone = json!({"id": "phone", "app": APP, "token": token(1)});
    request["devices"].as_array_mut().expect("devices").push(phone);
    let refused = (Status::Invalid, Some("notification.data.order".to_owned()));
    assert_eq!(statuses(&product, &request).await, [refused, (Status::Queued, None)]);

    request["notification"]["data"]["order"] = json!("17");
    assert_eq!(statuses(&product, &request).await, [(Status::Queued, None), (Status::Conflict, None)]);
    for odd in ["", "a b", "é"] {
        let refused = (Status::Invalid, Some("devices[0].token".to_owned()));
        assert_eq!(statuses(&product, &event(2, odd)).await, [refused]);
    }
    product.stop().await;
}

/// Success, retry, rejection, a dead token, lost and refused access tokens, a lost connection, malformed input.
#[tokio::test]
async fn c36s_canaries_of_fcm_are_in_no_output() {
    let environment = vec![("AWS_LAMBDA_LOG_LEVEL".to_owned(), "TRACE".to_owned())];
    let product = Product::with(Options { environment, ..options().await }).await;
    let fcm = &product.stack.fcm;
    // Access tokens begin with `ya29.`, and assertions with the Base64URL of `{"`.
    let key: Value = serde_json::from_str(&fcm.key_json()).expect("JSON");
    let key = key["private_key"].as_str().expect("a key").to_owned();
    let mut secrets: Vec<&str> = vec!["CANARY", "ya29.", "eyJ", "jwt-bearer"];
    secrets.extend(key.lines().filter(|line| !line.starts_with("-----")));
    fcm.script_mints([Reply::raw(400, r#"{"error":"CANARY 1","error_description":"CANARY"}"#).retry_after("1")]);
    let replies = [
        vec![Reply::delivered()],
        vec![Reply::raw(408, "CANARY"), Reply::delivered()],
        vec![Reply::violation("message.CANARY", "CANARY")],
        vec![Reply::invalid_token()],
        vec![Reply::without_detail(401), Reply::delivered()],
        vec![Reply::close(), Reply::delivered()],
        vec![Reply::raw(200, r#"{"name":"projects/CANARY CANARY"}"#)],
        vec![Reply::raw(400, r#"{"error":{"status":"CANARY 1","message":"CANARY"}}"#)],
    ];
    let sends = replies.iter().map(|replies| replies.len() as u64).sum::<u64>();
    for (n, replies) in replies.into_iter().enumerate() {
        let token = format!("CANARY-{n}");
        fcm.script(&token, replies);
        let mut request = event(n as u64, &token);
        request["devices"][0]["id"] = json!(format!("d{n}"));
        request["notification"] = json!({"title": "CANARY", "body": "CANARY", "data": {"CANARY": "CANARY"},
            "collapse_id": "CANARY", "image": "https://example.com/CANARY"});
        assert_eq!(statuses(&product, &request).await, [(Status::Queued, None)]);
    }
    let mut malformed = event(100, "CANARY CANARY");
    malformed["notification"]["data"]["CANARY"] = json!(7);
    assert_eq!(statuses(&product, &malformed).await, [(Status::Invalid, Some("devices[0].token".into()))]);
    fcm.wait_until(|tally| tally.requests >= sends).await;
    product.until_quiet().await;

    for function in [&product.stack.enqueue, &product.stack.drain] {
        let lines = function.output().lines();
        assert!(!lines.is_empty());
        for line in lines {
            assert!(!secrets.iter().any(|secret| line.text.contains(secret)), "{}", line.text);
        }
    }
    product.stop().await;
}

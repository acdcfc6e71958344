//! Web Push through the real functions.

use local::stack::{APP, Options, WEB};
use local::webpush::Reply;
use pushwake::contract::{Response, Status};
use serde_json::{Value, json};
use tests::product::{Product, options, token, until_line};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// E(n) for one browser.
fn event(n: u64, subscription: impl serde::Serialize) -> Value {
    let device = json!({"id": "ada", "app": WEB, "subscription": subscription});
    json!({"source": "tests", "event": format!("e{n}"), "devices": [device],
        "notification": {"title": "title", "data": {"n": n}}})
}

fn only(response: &Response) -> (Status, Option<&str>) {
    let [result] = &response.results[..] else { panic!("{response:?}") };
    (result.status, result.field.as_deref())
}

#[tokio::test]
async fn a_subscription_that_is_gone_is_answered_at_once_until_it_is_made_anew() {
    let product = Product::start().await;
    let service = &product.stack.webpush;
    let subscription = service.subscribe("ada");
    service.unsubscribe("ada");
    assert_eq!(only(&product.enqueue(&event(1, &subscription)).await), (Status::Queued, None));
    service.wait_until(|tally| tally.requests == 1).await;
    product.until_quiet().await;
    assert_eq!(product.left().await, 0);
    assert_eq!(only(&product.enqueue(&event(2, &subscription)).await), (Status::Unregistered, None));

    // The same endpoint, registered after the verdict.
    let mut again = event(3, service.subscribe("ada"));
    again["devices"][0]["registered_at"] = OffsetDateTime::now_utc().format(&Rfc3339).expect("a time").into();
    assert_eq!(only(&product.enqueue(&again).await), (Status::Queued, None));
    service.wait_until(|tally| tally.delivered == 1).await;
    assert_eq!(service.tally().requests, 2);
    product.stop().await;
}

#[tokio::test]
async fn c28_a_notification_too_large_for_browsers_alone_is_theirs_alone() {
    let product = Product::without_drains().await;
    let mut request = event(1, product.stack.webpush.subscribe("ada"));
    let phone = json!({"id": "phone", "app": APP, "token": token(1)});
    request["devices"].as_array_mut().expect("devices").push(phone);
    for (size, browser) in [(4000, Status::Invalid), (3500, Status::Queued)] {
        request["event"] = json!(format!("e{size}"));
        request["notification"]["title"] = "x".repeat(size).into();
        let response = product.enqueue(&request).await;
        let statuses: Vec<Status> = response.results.iter().map(|result| result.status).collect();
        assert_eq!(statuses, [browser, Status::Queued], "{size}");
        let field = (browser == Status::Invalid).then_some("notification");
        assert_eq!(response.results[0].field.as_deref(), field);
    }
    until_line(&product.stack.enqueue, "as Web Push; not every push service takes more than 2800").await;
    product.stop().await;
}

#[tokio::test]
async fn c38_endpoint_addresses_are_that_devices_fault_at_enqueue() {
    let product = Product::without_drains().await;
    let subscription = serde_json::to_value(product.stack.webpush.subscribe("ada")).expect("JSON");
    for endpoint in [
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8080/x",
        "https://user@fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://169.254.169.254/x",
        "https://100.64.0.1/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://push.example.com/x",
    ] {
        let mut refused = subscription.clone();
        refused["endpoint"] = endpoint.into();
        let expected = (Status::Invalid, Some("devices[0].subscription.endpoint"));
        assert_eq!(only(&product.enqueue(&event(1, refused)).await), expected, "{endpoint}");
    }
    for (key, value) in [("p256dh", "AAAA"), ("auth", "AAAA")] {
        let mut refused = subscription.clone();
        refused["keys"][key] = value.into();
        let field = format!("devices[0].subscription.keys.{key}");
        assert_eq!(only(&product.enqueue(&event(1, refused)).await), (Status::Invalid, Some(field.as_str())));
    }
    assert_eq!(product.left().await, 0);
    product.stop().await;
}

/// Success, retry, rejection, a dead subscription, a lost connection, refused and malformed input, at TRACE.
#[tokio::test]
async fn c36s_canaries_of_web_push_are_in_no_output() {
    let environment = vec![("AWS_LAMBDA_LOG_LEVEL".to_owned(), "TRACE".to_owned())];
    let product = Product::with(Options { environment, ..options().await }).await;
    let service = &product.stack.webpush;
    let mut secrets = vec!["CANARY".to_owned(), service.key().to_owned()];
    let replies = [
        vec![Reply::delivered()],
        vec![Reply::raw(503, "CANARY").retry_after("1"), Reply::delivered()],
        vec![Reply::raw(413, "CANARY")],
        vec![Reply::status(410, "CANARY-reason")],
        vec![Reply::close(), Reply::delivered()],
        vec![Reply::raw(307, "CANARY")],
    ];
    let sends = replies.iter().map(|replies| replies.len() as u64).sum::<u64>();
    for (n, replies) in replies.into_iter().enumerate() {
        let name = format!("CANARY-{n}");
        service.script(&name, replies);
        let subscription = service.subscribe(&name);
        secrets.extend([subscription.keys.p256dh.clone(), subscription.keys.auth.clone()]);
        let mut request = event(n as u64, subscription);
        request["devices"][0]["id"] = json!(format!("d{n}"));
        request["notification"] = json!({"title": "CANARY", "body": "CANARY", "data": {"CANARY": "CANARY"},
            "collapse_id": "CANARY", "image": "https://example.com/CANARY"});
        assert_eq!(only(&product.enqueue(&request).await).0, Status::Queued);
    }
    let malformed = json!({"endpoint": "https://CANARY/", "keys": {"p256dh": "CANARY", "auth": "CANARY"}});
    assert_eq!(only(&product.enqueue(&event(100, malformed)).await).0, Status::Invalid);
    service.wait_until(|tally| tally.requests >= sends).await;
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

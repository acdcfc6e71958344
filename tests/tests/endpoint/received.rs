//! What the simulated providers tell a program outside.

use pushwake::contract::{Device, Notification, Request, Subscription};
use serde_json::{Value, json};
use tests::barrier::until;
use tests::http::{Answer, ask, get};

use crate::Served;

fn read(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).expect("JSON")
}

#[tokio::test]
async fn a_program_outside_subscribes_a_browser_and_sees_what_arrives_alive_or_dead() {
    let served = Served::start().await;
    served.product.stack.call_dead_tokens_dead();
    let address = served.serving.address();
    let subscribe = |name: &str| format!("POST /subscriptions/{name} HTTP/1.1\r\nHost: {address}\r\n");
    let subscription: Subscription =
        serde_json::from_value(read(&ask(address, &subscribe("ada")).await)).expect("a subscription");
    let devices = vec![
        Device::with_token("phone", "ios-prod", "00aa"),
        Device::with_token("gone", "ios-prod", "dead00aa"),
        Device::with_token("pixel", "android", "dead:b"),
        Device::with_subscription("laptop", "web", subscription),
    ];
    let mut request = Request::new("tests", "e", devices);
    request.notification = Notification { title: Some("t".into()), ..Notification::default() };
    served.product.enqueue(&json!(request)).await;

    let received = || async { read(&get(address, "/received").await).as_array().expect("a list").clone() };
    until(|| async { received().await.iter().filter(|one| !one["status"].is_null()).count() >= 4 }).await;
    let received = received().await;
    for (to, provider, status) in
        [("00aa", "apns", 200), ("dead00aa", "apns", 410), ("dead:b", "fcm", 404), ("ada", "webpush", 201)]
    {
        let one = received.iter().find(|one| one["to"] == to).expect(to);
        assert_eq!((&one["provider"], &one["status"]), (&json!(provider), &json!(status)), "{one}");
    }
    let one = read(&get(address, "/received?to=ada").await);
    assert_eq!(one[0]["body"]["title"], "t", "as the browser decrypts it: {one}");
    assert_eq!(one.as_array().map(Vec::len), Some(1));
    assert_eq!(ask(address, &subscribe("a%2Fb")).await.status, 400);
    served.stop().await;
}

//! Dead tokens, from the provider's verdict to the product.

use local::apns::Reply;
use local::stack::APP;
use pushwake::contract::Status;
use pushwake::feedback::Feedback;
use serde_json::json;
use tests::product::{Product, event, token};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{DIED_AT, bodies, messages, queue_for_dead_tokens, unposted, unregistered};

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_token_arrives_once_and_without_the_token() {
    let product = Product::without_drains().await;
    queue_for_dead_tokens(&product, 1).await;
    product.drain().await;
    let expected = concat!(
        r#"{"v":1,"kind":"unregistered","app":"ios-prod","device":"d0","#,
        r#""token_hash":"60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55","#,
        r#""reason":"Unregistered","time":"2026-01-01T00:00:00Z","source":"tests","event":"e1"}"#,
    );
    assert_eq!(bodies(&product), [expected]);
    // Nobody posts it again.
    product.drain().await;
    assert_eq!(product.schedule().await["feedback_posted"], 0);
    assert_eq!((bodies(&product).len(), unposted(&product.database).await), (1, 0));
    let output = [&product.stack.drain, &product.stack.schedule].map(|function| function.output().lines());
    assert!(output.iter().flatten().all(|line| !line.text.contains(&token(0))));
    assert!(!bodies(&product)[0].contains(&token(0)));
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_of_any_characters_arrives_as_it_is() {
    let product = Product::without_drains().await;
    let odd = "\u{FFFE}\u{FFFF}\u{10FFFF}\"\\ é";
    product.apns().script(&token(0), [Reply::gone("Unregistered", DIED_AT)]);
    let request = json!({"source": odd, "event": odd, "notification": {"title": "title"},
        "devices": [{"id": odd, "app": APP, "token": token(0)}]});
    let response = product.enqueue(&request).await;
    assert_eq!(response.results[0].status, Status::Queued, "{response:?}");
    product.drain().await;
    assert_eq!((unregistered(&product), unposted(&product.database).await), (vec![odd.to_owned()], 0));
    product.stop().await;
}

/// Queues and drains E(n) for the first device, with a token that was registered at some time.
async fn send(product: &Product, n: u64, token: &str, registered_at: Option<i64>) -> Status {
    let mut request = event(n, [0]);
    request["devices"][0]["token"] = json!(token);
    if let Some(millis) = registered_at {
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).expect("a time");
        request["devices"][0]["registered_at"] = json!(at.format(&Rfc3339).expect("a time"));
    }
    let response = product.enqueue(&request).await;
    product.drain().await;
    response.results[0].status
}

#[tokio::test(flavor = "multi_thread")]
async fn c11_neither_the_same_token_registered_again_nor_another_one_is_suppressed() {
    let product = Product::without_drains().await;
    let (a, b) = (token(0), token(1));
    product.apns().script(&a, [Reply::gone("Unregistered", DIED_AT)]);
    assert_eq!(send(&product, 1, &a, None).await, Status::Queued);
    for (n, registered_at) in [(2, None), (3, Some(DIED_AT - 1)), (4, Some(DIED_AT))] {
        assert_eq!(send(&product, n, &a, registered_at).await, Status::Unregistered);
    }
    assert_eq!(product.apns().tally().delivered, 0);
    assert_eq!(send(&product, 5, &a, Some(DIED_AT + 1)).await, Status::Queued, "A again, a millisecond later");
    assert_eq!(send(&product, 6, &b, None).await, Status::Queued, "B");
    assert_eq!(product.apns().tally().delivered, 2);
    assert_eq!((product.left().await, messages(&product).len()), (0, 1));
    product.stop().await;
}

/// When, in milliseconds, and by which event each dead token was found.
fn verdicts(product: &Product) -> Vec<(i64, String)> {
    let verdict = |feedback| match feedback {
        Feedback::Unregistered { time, event: Some(event), .. } => {
            (time.unix_timestamp() * 1_000, event.as_str().to_owned())
        }
        other => panic!("{other:?}"),
    };
    messages(product).into_iter().map(verdict).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn c11_a_verdict_older_than_the_registration_says_nothing_new_and_a_newer_one_does() {
    let product = Product::without_drains().await;
    let a = token(0);
    let (registered, died_again) = (Some(DIED_AT + 1_000), DIED_AT + 5_000);
    let gone = |at| Reply::gone("Unregistered", at);
    product.apns().script(&a, [gone(DIED_AT), gone(DIED_AT), Reply::delivered(), gone(died_again)]);
    assert_eq!(send(&product, 1, &a, None).await, Status::Queued);
    assert_eq!(send(&product, 2, &a, registered).await, Status::Queued);
    assert_eq!(verdicts(&product), [(DIED_AT, "e1".to_owned())]);
    assert_eq!(send(&product, 3, &a, registered).await, Status::Queued, "an answer about an earlier time");
    assert_eq!(product.apns().tally().delivered, 1);
    assert_eq!(send(&product, 4, &a, registered).await, Status::Queued);
    assert_eq!(verdicts(&product), [(DIED_AT, "e1".to_owned()), (died_again, "e4".to_owned())]);
    assert_eq!(send(&product, 5, &a, registered).await, Status::Unregistered);
    assert_eq!(send(&product, 6, &a, Some(died_again + 1)).await, Status::Queued);
    assert_eq!(product.apns().tally().delivered, 2);
    product.stop().await;
}

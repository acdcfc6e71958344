//! Asynchronous invocations.

use aws_sdk_lambda::primitives::Blob;
use aws_sdk_lambda::types::InvocationType;
use tests::barrier::until;

use crate::{Served, event, refused};

#[tokio::test]
async fn an_event_is_accepted_at_once_and_carried_out_afterwards() {
    let served = Served::start().await;
    let call = served.lambda.invoke().function_name("pushwake-enqueue").invocation_type(InvocationType::Event);
    let answer = call.payload(event(7)).send().await.expect("an answer");
    assert_eq!((answer.status_code(), answer.payload().map_or(0, |payload| payload.as_ref().len())), (202, 0));
    served.product.until(|tally| tally.delivered == 1).await;
    served.stop().await;
}

#[tokio::test]
async fn an_event_that_fails_is_tried_twice_more() {
    let served = Served::start().await;
    let call = served.lambda.invoke().function_name("pushwake-enqueue").invocation_type(InvocationType::Event);
    assert_eq!(call.payload(refused()).send().await.expect("an answer").status_code(), 202);
    until(|| async { served.product.stack.enqueue.counts().failed == 3 }).await;
    served.stop().await;
}

#[tokio::test]
async fn an_event_of_more_than_a_megabyte_is_refused() {
    let served = Served::start().await;
    let large = format!("\"{}\"", "a".repeat(1024 * 1024));
    let call = served.lambda.invoke().function_name("pushwake-enqueue").invocation_type(InvocationType::Event);
    let error = call.payload(Blob::new(large)).send().await.unwrap_err().into_service_error();
    assert!(error.is_request_too_large_exception(), "{error:?}");
    served.stop().await;
}

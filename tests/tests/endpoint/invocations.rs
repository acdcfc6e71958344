//! Synchronous invocations: answers, errors of the function, and what is refused before it.

use aws_sdk_lambda::primitives::Blob;
use aws_sdk_lambda::types::{InvocationType, LogType};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use local::stack::Options;
use pushwake::contract::{Response, Status};
use serde_json::Value;
use tests::barrier::{Held, soon, until};
use tests::product::options;

use crate::{Served, event, payload, refused};

#[tokio::test]
async fn what_a_product_enqueues_through_the_sdk_reaches_the_provider() {
    let served = Served::start().await;
    let call = served.lambda.invoke().function_name("pushwake-enqueue").qualifier("live");
    let answer = call.log_type(LogType::Tail).payload(event(7)).send().await.expect("an answer");
    assert_eq!((answer.status_code(), answer.function_error()), (200, None));
    assert_eq!(answer.executed_version(), Some("$LATEST"));
    let response: Response = serde_json::from_slice(answer.payload().unwrap().as_ref()).unwrap();
    assert_eq!(response.results[0].status, Status::Queued);
    let log = BASE64_STANDARD.decode(answer.log_result().expect("the end of the log")).unwrap();
    assert!(log.len() <= 4096 && String::from_utf8(log).unwrap().contains(r#""queued":1"#));
    served.product.until(|tally| tally.delivered == 1).await;
    served.stop().await;
}

#[tokio::test]
async fn a_function_answers_to_every_name_it_has_on_aws() {
    let served = Served::start().await;
    let arn = "arn:aws:lambda:us-east-1:123456789012:function:pushwake-enqueue";
    for name in ["enqueue", "pushwake-enqueue:live", "pushwake-enqueue:$LATEST", arn, &format!("{arn}:live")] {
        let answer = served.lambda.invoke().function_name(name).payload(event(1)).send().await.expect(name);
        assert_eq!((answer.status_code(), answer.function_error()), (200, None), "{name}");
    }
    for name in ["pushwake-enqueue:v2", "orders", "pushwake-", &format!("{arn}:7")] {
        let error = served.lambda.invoke().function_name(name).payload(event(1)).send().await.expect_err(name);
        assert!(error.into_service_error().is_resource_not_found_exception(), "{name}");
    }
    served.stop().await;
}

#[tokio::test]
async fn an_error_of_the_function_is_an_answer_with_the_error_as_its_payload() {
    let served = Served::start().await;
    let answer = served.lambda.invoke().function_name("pushwake-enqueue").payload(refused()).send().await.unwrap();
    assert_eq!((answer.status_code(), answer.function_error()), (200, Some("Unhandled")));
    let error: Value = serde_json::from_slice(answer.payload().unwrap().as_ref()).unwrap();
    assert!(error["errorType"].is_string() && error["errorMessage"].is_string(), "{error}");
    served.stop().await;
}

#[tokio::test]
async fn a_dry_run_checks_the_call_and_invokes_nothing() {
    let served = Served::start().await;
    let call = |name: &str| {
        let call = served.lambda.invoke().function_name(name).invocation_type(InvocationType::DryRun);
        call.payload(event(1)).send()
    };
    assert_eq!(call("pushwake-enqueue").await.expect("an answer").status_code(), 204);
    assert!(call("orders").await.unwrap_err().into_service_error().is_resource_not_found_exception());
    assert_eq!(served.product.stack.enqueue.counts().answered, 0);
    served.stop().await;
}

#[tokio::test]
async fn what_is_no_json_or_too_large_is_refused_before_the_function_sees_it() {
    let served = Served::start().await;
    let call =
        |payload: Vec<u8>| served.lambda.invoke().function_name("pushwake-enqueue").payload(Blob::new(payload)).send();
    let error = call(b"{\"source\":".to_vec()).await.unwrap_err().into_service_error();
    assert!(error.is_invalid_request_content_exception(), "{error:?}");
    let large = format!("\"{}\"", "a".repeat(6 * 1024 * 1024)).into_bytes();
    let error = call(large).await.unwrap_err().into_service_error();
    assert!(error.is_request_too_large_exception(), "{error:?}");
    assert_eq!(served.product.stack.enqueue.counts().cold, 0);
    served.stop().await;
}

#[tokio::test]
async fn a_call_that_finds_every_instance_busy_is_throttled() {
    let served = Served::with(Options { enqueues: 1, ..options().await }).await;
    let held = Held::new(&served.product.database, "lock table lanes in access exclusive mode").await;
    let call = |n| served.lambda.invoke().function_name("pushwake-enqueue").payload(event(n)).send();
    let (first, ()) = tokio::join!(call(1), async {
        until(|| async { served.product.stack.enqueue.busy_pids().len() == 1 }).await;
        let error = call(2).await.unwrap_err().into_service_error();
        assert!(error.is_too_many_requests_exception(), "{error:?}");
        held.roll_back().await;
    });
    assert_eq!(first.expect("the first is answered").status_code(), 200);
    served.stop().await;
}

#[tokio::test]
async fn the_function_knows_the_request_id_that_the_caller_is_told() {
    use aws_sdk_lambda::operation::RequestId;
    let served = Served::start().await;
    let answer = served.lambda.invoke().function_name("pushwake-schedule").payload(payload(&Value::Null)).send();
    let answer = soon(answer).await.expect("an answer");
    let id = answer.request_id().expect("a request id").to_owned();
    let output = served.product.stack.schedule.output();
    assert!(soon(output.wait_for(std::time::Duration::from_mins(1), |line| line.text.contains(&id))).await.is_some());
    served.stop().await;
}

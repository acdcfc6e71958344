//! The endpoint's switches, as a function's SDK meets them.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use aws_sdk_sqs::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    types::{MessageSystemAttributeName, SendMessageBatchRequestEntry},
};
use local::sqs::{Endpoint, Fate, Fault, Settings};

use crate::subject::client;

const QUEUE: &str = "wakes";

async fn endpoint() -> (Endpoint, Client, String) {
    let endpoint = Endpoint::start().await.unwrap();
    let url = endpoint.create_queue(QUEUE, Settings::default()).unwrap();
    let client = client(endpoint.url());
    (endpoint, client, url)
}

fn fates(endpoint: &Endpoint) -> Vec<Fate> {
    endpoint.sent(QUEUE).iter().map(|sent| sent.fate).collect()
}

#[tokio::test]
async fn a_failing_endpoint_answers_500_and_stores_nothing() {
    let (endpoint, sqs, url) = endpoint().await;
    endpoint.set_fault(Some(Fault::Fail));
    let error = sqs.send_message().queue_url(&url).message_body("wake").send().await.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 500);
    assert_eq!(error.into_service_error().code(), Some("InternalFailure"));
    endpoint.set_fault(None);
    sqs.send_message().queue_url(&url).message_body("wake").send().await.unwrap();
    assert_eq!(fates(&endpoint), [Fate::Failed, Fate::Stored]);
    assert_eq!(endpoint.counts(QUEUE).total(), 1);
}

#[tokio::test]
async fn an_endpoint_fails_every_second_message_of_a_batch_alone() {
    let (endpoint, sqs, url) = endpoint().await;
    endpoint.set_fault(Some(Fault::FailSecond));
    let entry = |id: &str| SendMessageBatchRequestEntry::builder().id(id).message_body("wake").build().unwrap();
    let entries = ["a", "b", "c"].map(entry).to_vec();
    let answer = sqs.send_message_batch().queue_url(&url).set_entries(Some(entries)).send().await.unwrap();
    let taken: Vec<_> = answer.successful().iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(taken, ["a", "c"]);
    let failed = &answer.failed()[0];
    assert_eq!((failed.id(), failed.code(), failed.sender_fault()), ("b", "InternalError", false));
    assert_eq!(fates(&endpoint), [Fate::Stored, Fate::FailedAlone, Fate::Stored]);
    assert_eq!(endpoint.counts(QUEUE).total(), 2);
}

#[tokio::test]
async fn a_hanging_endpoint_never_answers() {
    let (endpoint, sqs, url) = endpoint().await;
    endpoint.set_fault(Some(Fault::Hang));
    let request = sqs.send_message().queue_url(&url).message_body("wake").send();
    let (sent, answer) =
        tokio::join!(endpoint.until_sent(QUEUE, 1), tokio::time::timeout(Duration::from_secs(1), request));
    assert!(answer.is_err());
    assert_eq!(sent[0].fate, Fate::Hung);
    assert_eq!(endpoint.counts(QUEUE).total(), 0);
}

#[tokio::test]
async fn a_discarding_endpoint_answers_and_keeps_nothing() {
    let (endpoint, sqs, url) = endpoint().await;
    endpoint.set_fault(Some(Fault::Discard));
    let sent = sqs.send_message().queue_url(&url).message_body("wake").send().await.unwrap();
    assert_eq!(sent.message_id.as_deref(), Some(endpoint.sent(QUEUE)[0].message_id.as_str()));
    assert_eq!(fates(&endpoint), [Fate::Discarded]);
    assert_eq!(endpoint.counts(QUEUE).total(), 0);
}

#[tokio::test]
async fn a_refusing_endpoint_takes_no_connection_and_closes_idle_ones() {
    let (endpoint, sqs, url) = endpoint().await;
    let send = || sqs.send_message().queue_url(&url).message_body("wake").send();
    send().await.unwrap();
    for round in 0..3 {
        endpoint.refuse_connections().await;
        let refused = send().await.unwrap_err();
        assert!(matches!(&refused, SdkError::DispatchFailure(failure) if failure.is_io()), "{round}: {refused:?}");
        endpoint.accept_connections().await;
        send().await.unwrap();
    }
    assert_eq!(endpoint.counts(QUEUE).total(), 4);
}

#[tokio::test]
async fn the_hook_runs_before_the_message_is_there_and_answered() {
    let (endpoint, sqs, url) = endpoint().await;
    let (seen, hooked) = (Arc::new(Mutex::new(Vec::new())), endpoint.clone());
    let notes = Arc::clone(&seen);
    endpoint.on_send(move |sent| {
        let (notes, hooked) = (Arc::clone(&notes), hooked.clone());
        async move { notes.lock().unwrap().push((sent.body, hooked.counts(QUEUE).total())) }
    });
    sqs.send_message().queue_url(&url).message_body("wake").send().await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [("wake".to_owned(), 0)]);
}

#[tokio::test]
async fn the_record_says_what_was_sent_with_which_delay_and_when() {
    let (endpoint, sqs, url) = endpoint().await;
    let before = endpoint.now();
    let send = |body: &str, delay| sqs.send_message().queue_url(&url).message_body(body).delay_seconds(delay).send();
    send("first", 0).await.unwrap();
    send("second", 16).await.unwrap();
    let [first, second] = endpoint.sent(QUEUE).try_into().unwrap();
    assert_eq!((first.body.as_str(), first.delay), ("first", Duration::ZERO));
    assert_eq!((second.body.as_str(), second.delay), ("second", Duration::from_secs(16)));
    assert!(before <= first.at && first.at <= second.at && second.at <= endpoint.now());
}

#[tokio::test]
async fn the_clock_can_be_moved_instead_of_waited_for() {
    let (endpoint, sqs, url) = endpoint().await;
    let started = Instant::now();
    sqs.send_message().queue_url(&url).message_body("wake").delay_seconds(900).send().await.unwrap();
    let poll = sqs.receive_message().queue_url(&url).wait_time_seconds(20).send();
    let advance = async {
        endpoint.until(QUEUE, |counts| counts.delayed == 1).await;
        endpoint.advance(Duration::from_mins(15));
    };
    let (received, ()) = tokio::join!(poll, advance);
    assert_eq!(received.unwrap().messages.unwrap().len(), 1);
    // The retention of four days ends the same way.
    endpoint.advance(Duration::from_hours(4 * 24));
    assert_eq!(endpoint.counts(QUEUE).total(), 0);
    assert!(started.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn a_duplicate_is_delivered_at_once_with_the_same_id() {
    let (endpoint, sqs, url) = endpoint().await;
    endpoint.duplicate(1.0, 1);
    let sent = sqs.send_message().queue_url(&url).message_body("wake").send().await.unwrap();
    for _ in 0..2 {
        let received = sqs.receive_message().queue_url(&url).send().await.unwrap().messages.unwrap();
        assert_eq!(received[0].message_id, sent.message_id);
    }
    assert_eq!(endpoint.counts(QUEUE).in_flight, 2);
}

#[tokio::test]
async fn the_trace_header_of_a_request_becomes_that_of_its_message() {
    let (_endpoint, sqs, url) = endpoint().await;
    let trace = "Root=1-5759e988-bd862e3f;Lineage=1:a87bd80c:3";
    let send = sqs.send_message().queue_url(&url).message_body("wake").customize();
    // As the SDK does in a function whose environment has `_X_AMZN_TRACE_ID`.
    let send = send.mutate_request(move |request| {
        request.headers_mut().insert("x-amzn-trace-id", trace);
    });
    send.send().await.unwrap();
    let receive = sqs.receive_message().queue_url(&url).message_system_attribute_names("All".into());
    let message = receive.send().await.unwrap().messages.unwrap().remove(0);
    assert_eq!(message.attributes.unwrap()[&MessageSystemAttributeName::AwsTraceHeader], trace);
}

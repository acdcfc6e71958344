//! The mapping against functions that are closures.

use std::{
    pin::pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use futures::poll;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::sqs::{Activity, Answer, Endpoint, Event, Mapping, MappingSettings, Redrive, Settings};

const QUEUE: &str = "wakes";
const DEAD: &str = "dead-wakes";

/// An endpoint with a queue that gives up after `most` receives.
async fn endpoint(most: u32) -> Endpoint {
    let endpoint = Endpoint::start().await.unwrap();
    endpoint.create_queue(DEAD, Settings::default()).unwrap();
    let redrive = Some(Redrive { dead_letter: DEAD.to_owned(), max_receive_count: most });
    let settings = Settings { visibility: Duration::from_secs(270), redrive, ..Settings::default() };
    endpoint.create_queue(QUEUE, settings).unwrap();
    endpoint
}

fn done() -> Answer {
    Answer::Success(Bytes::from_static(b"null"))
}

#[tokio::test]
async fn a_success_deletes_its_message() {
    let endpoint = endpoint(3).await;
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(12), |_| async { done() });
    endpoint.send(QUEUE, "wake", None).await.unwrap();
    mapping.until(|activity| activity.completed == 1).await;
    endpoint.until(QUEUE, |counts| counts.total() == 0).await;
}

#[tokio::test]
async fn a_function_gets_the_event_of_sqs() {
    let endpoint = endpoint(3).await;
    let events = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&events);
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), move |event: Event| {
        seen.lock().unwrap().push(event.payload);
        async { done() }
    });
    let id = endpoint.send(QUEUE, r#"{"v":1}"#, None).await.unwrap();
    mapping.until(|activity| activity.completed == 1).await;
    let event: Value = serde_json::from_slice(&events.lock().unwrap()[0]).unwrap();
    let [record] = event["Records"].as_array().unwrap().as_slice() else { panic!("one record") };
    assert_eq!(record["messageId"], id);
    assert_eq!(record["body"], r#"{"v":1}"#);
    assert_eq!(record["md5OfBody"], "a191475ae2bf7db9c7e320f7da455bbb");
    assert_eq!(record["eventSource"], "aws:sqs");
    assert_eq!(record["eventSourceARN"], "arn:aws:sqs:eu-central-1:000000000000:wakes");
    assert_eq!(record["awsRegion"], "eu-central-1");
    assert_eq!(record["attributes"]["ApproximateReceiveCount"], "1");
    assert_eq!(record["messageAttributes"], json!({}));
}

#[tokio::test]
async fn a_failed_message_stays_hidden_until_its_visibility_ends() {
    let endpoint = endpoint(3).await;
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), |_| async { Answer::Failed });
    endpoint.send(QUEUE, "wake", None).await.unwrap();
    mapping.until(|activity| activity.failed == 1).await;
    assert_eq!(endpoint.counts(QUEUE).in_flight, 1);
    endpoint.advance(Duration::from_secs(270));
    mapping.until(|activity| activity.failed == 2).await;
}

#[tokio::test]
async fn a_message_that_always_fails_ends_in_the_dead_letter_queue() {
    let endpoint = endpoint(3).await;
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), |_| async { Answer::Failed });
    endpoint.send(QUEUE, "wake", None).await.unwrap();
    for failed in 1..=3 {
        mapping.until(|activity| activity.failed == failed).await;
        endpoint.expire_visibility(QUEUE);
    }
    endpoint.until(DEAD, |counts| counts.visible == 1).await;
    assert_eq!(endpoint.counts(QUEUE).total(), 0);
    assert_eq!(mapping.activity().invocations, 3);
}

#[tokio::test]
async fn a_panic_in_the_function_is_a_failure() {
    let endpoint = endpoint(3).await;
    let mapping =
        Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), |_| async { panic!("as a crashed instance would") });
    endpoint.send(QUEUE, "wake", None).await.unwrap();
    let activity = mapping.until(|activity| activity.failed == 1).await;
    assert_eq!(activity.running, 0);
}

#[tokio::test]
async fn a_reported_failure_counts_only_where_the_mapping_asks_for_reports() {
    for (report, completed) in [(false, 1), (true, 0)] {
        let endpoint = endpoint(3).await;
        let settings = MappingSettings { report_batch_item_failures: report, ..MappingSettings::of(2) };
        let reported = r#"{"batchItemFailures":[{"itemIdentifier":"1"}]}"#;
        let mapping = Mapping::start(&endpoint, QUEUE, settings, move |_| async move {
            Answer::Success(Bytes::from_static(reported.as_bytes()))
        });
        endpoint.send(QUEUE, "wake", None).await.unwrap();
        let activity = mapping.until(|activity| activity.completed + activity.failed == 1).await;
        assert_eq!(activity.completed, completed);
    }
}

#[tokio::test]
async fn a_throttled_invocation_is_tried_again_without_a_new_receive() {
    let endpoint = endpoint(3).await;
    let attempts = Arc::new(Mutex::new(0));
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), move |_| {
        let mut attempts = attempts.lock().unwrap();
        *attempts += 1;
        let answer = if *attempts < 3 { Answer::Throttled } else { done() };
        async { answer }
    });
    endpoint.send(QUEUE, "wake", None).await.unwrap();
    let activity = mapping.until(|activity| activity.completed == 1).await;
    assert_eq!((activity.invocations, activity.throttled), (1, 2));
}

#[tokio::test]
async fn invocations_start_at_five_and_grow_to_the_maximum_while_messages_are_left() {
    let endpoint = endpoint(3).await;
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(12), move |_| {
        let held = Arc::clone(&held);
        async move {
            held.acquire().await.unwrap().forget();
            done()
        }
    });
    for _ in 0..5 {
        endpoint.send(QUEUE, "wake", None).await.unwrap();
    }
    mapping.until(|activity| activity.running == 5).await;
    for _ in 0..15 {
        endpoint.send(QUEUE, "wake", None).await.unwrap();
    }
    mapping.until(|activity| activity.running == 12).await;
    gate.add_permits(20);
    let activity = mapping.until(|activity| activity.completed == 20).await;
    assert_eq!(activity.peak, 12);
}

#[tokio::test]
async fn a_stop_waits_for_running_invocations_and_takes_no_more_messages() {
    let endpoint = endpoint(3).await;
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), move |_| {
        let held = Arc::clone(&held);
        async move {
            held.acquire().await.unwrap().forget();
            done()
        }
    });
    for _ in 0..3 {
        endpoint.send(QUEUE, "wake", None).await.unwrap();
    }
    mapping.until(|activity| activity.running == 2).await;
    let mut stop = pin!(mapping.stop());
    assert!(poll!(stop.as_mut()).is_pending());
    gate.add_permits(3);
    let activity = stop.await;
    assert_eq!((activity.running, activity.completed), (0, 2));
    assert_eq!(endpoint.counts(QUEUE).visible, 1);
}

#[tokio::test]
async fn loop_detection_gives_up_the_seventeenth_invocation_of_one_lineage() {
    let endpoint = endpoint(3).await;
    let settings = MappingSettings { refuse_after_hops: Some(16), ..MappingSettings::of(2) };
    let sender = endpoint.clone();
    let mapping = Mapping::start(&endpoint, QUEUE, settings, move |event: Event| {
        let sender = sender.clone();
        async move {
            sender.send_traced(QUEUE, "wake", &event.trace).await.unwrap();
            done()
        }
    });
    endpoint.send(QUEUE, "wake", None).await.unwrap();
    let Activity { invocations, .. } = mapping.until(|activity| activity.loops == 1).await;
    assert_eq!(invocations, 16);
    assert_eq!(endpoint.counts(DEAD).visible, 1);
}

#[tokio::test]
async fn every_duplicate_is_an_invocation_of_its_own() {
    let endpoint = endpoint(3).await;
    endpoint.duplicate(1.0, 1);
    let mapping = Mapping::start(&endpoint, QUEUE, MappingSettings::of(2), |_| async { done() });
    for _ in 0..4 {
        endpoint.send(QUEUE, "wake", None).await.unwrap();
    }
    let activity = mapping.until(|activity| activity.completed == 8).await;
    assert_eq!(activity.invocations, 8);
    assert_eq!(endpoint.counts(QUEUE).total(), 0);
}

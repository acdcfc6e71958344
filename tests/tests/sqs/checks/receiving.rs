//! What is visible, and when. The waits are long polls: they end when the message comes, not when a sleep does.

use std::time::{Duration, Instant};

use aws_sdk_sqs::types::{MessageSystemAttributeName, QueueAttributeName};

use crate::subject::{Subject, refused};

pub async fn a_received_message_is_hidden_until_its_visibility_ends(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::VisibilityTimeout, "2")]).await;
    let id = subject.send(&queue, "wake").await;
    let first = subject.receive(&queue, 1).await.unwrap();
    let received = Instant::now();
    assert_eq!(subject.counts(&queue).await, [0, 1, 0]);
    assert!(subject.receive(&queue, 0).await.is_none());

    let second = subject.receive(&queue, 20).await.unwrap();
    assert!(received.elapsed() > Duration::from_millis(1_500), "{:?}", received.elapsed());
    assert_eq!(second.message_id, Some(id));
    assert_ne!(second.receipt_handle, first.receipt_handle);
    let (first, second) = (first.attributes.unwrap(), second.attributes.unwrap());
    assert_eq!(second[&MessageSystemAttributeName::ApproximateReceiveCount], "2");
    let same = MessageSystemAttributeName::ApproximateFirstReceiveTimestamp;
    assert_eq!(second[&same], first[&same]);
}

pub async fn a_delayed_message_arrives_after_its_delay(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let started = Instant::now();
    let send = subject.sqs.send_message().queue_url(&queue).message_body("wake").delay_seconds(2);
    send.send().await.unwrap();
    assert_eq!(subject.counts(&queue).await, [0, 0, 1]);
    assert!(subject.receive(&queue, 0).await.is_none());
    assert!(subject.receive(&queue, 20).await.is_some());
    assert!(started.elapsed() > Duration::from_millis(1_500), "{:?}", started.elapsed());
}

pub async fn the_queues_delay_applies_to_a_message_without_one(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::DelaySeconds, "900")]).await;
    subject.send(&queue, "with the queue's delay").await;
    let send = subject.sqs.send_message().queue_url(&queue).message_body("with its own").delay_seconds(0);
    send.send().await.unwrap();
    assert_eq!(subject.receive(&queue, 1).await.unwrap().body.as_deref(), Some("with its own"));
    assert_eq!(subject.counts(&queue).await, [0, 1, 1]);
}

pub async fn a_long_poll_ends_with_the_first_message(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::ReceiveMessageWaitTimeSeconds, "20")]).await;
    let started = Instant::now();
    // Without a time of its own the poll waits for as long as the queue says.
    let poll = subject.sqs.receive_message().queue_url(&queue).send();
    let send = async {
        tokio::task::yield_now().await;
        subject.send(&queue, "wake").await
    };
    let (received, id) = tokio::join!(poll, send);
    assert_eq!(received.unwrap().messages.unwrap()[0].message_id, Some(id));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

pub async fn an_empty_queue_answers_no_messages(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let received = subject.sqs.receive_message().queue_url(&queue).wait_time_seconds(1).send().await.unwrap();
    assert!(received.messages.unwrap_or_default().is_empty());
}

pub async fn a_receive_takes_at_most_ten(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    for n in 0..12 {
        subject.send(&queue, &n.to_string()).await;
    }
    let receive = |most| subject.sqs.receive_message().queue_url(&queue).max_number_of_messages(most).send();
    for most in [0, 11] {
        assert_eq!(refused(receive(most).await), "InvalidParameterValue");
    }
    assert_eq!(receive(10).await.unwrap().messages.unwrap().len(), 10);
    assert_eq!(receive(1).await.unwrap().messages.unwrap().len(), 1);
    assert_eq!(receive(10).await.unwrap().messages.unwrap().len(), 1);
}

pub async fn a_visibility_of_zero_shows_the_message_at_once(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = subject.receive(&queue, 1).await.unwrap().receipt_handle.unwrap();
    let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle(receipt);
    change.visibility_timeout(0).send().await.unwrap();
    assert_eq!(subject.counts(&queue).await, [1, 0, 0]);
    assert!(subject.receive(&queue, 1).await.is_some());
}

pub async fn a_longer_visibility_hides_the_message_longer(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::VisibilityTimeout, "1")]).await;
    subject.send(&queue, "wake").await;
    let receipt = subject.receive(&queue, 1).await.unwrap().receipt_handle.unwrap();
    let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle(receipt);
    change.visibility_timeout(600).send().await.unwrap();
    assert!(subject.receive(&queue, 2).await.is_none());
    assert_eq!(subject.counts(&queue).await, [0, 1, 0]);
}

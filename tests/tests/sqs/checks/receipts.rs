//! What a receipt is good for.

use aws_sdk_sqs::types::{Message, QueueAttributeName};

use crate::subject::{Subject, refused};

fn receipt(message: Option<Message>) -> String {
    message.expect("a message").receipt_handle.expect("its receipt")
}

pub async fn a_deleted_message_never_comes_back(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::VisibilityTimeout, "1")]).await;
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    subject.sqs.delete_message().queue_url(&queue).receipt_handle(receipt).send().await.unwrap();
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
    assert!(subject.receive(&queue, 2).await.is_none());
}

pub async fn a_second_delete_succeeds(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    for _ in 0..2 {
        subject.sqs.delete_message().queue_url(&queue).receipt_handle(&receipt).send().await.unwrap();
    }
}

pub async fn an_expired_receipt_still_deletes_what_nobody_received_since(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle(&receipt);
    change.visibility_timeout(0).send().await.unwrap();
    subject.sqs.delete_message().queue_url(&queue).receipt_handle(&receipt).send().await.unwrap();
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn an_older_receipt_deletes_nothing(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::VisibilityTimeout, "0")]).await;
    subject.send(&queue, "wake").await;
    let older = receipt(subject.receive(&queue, 1).await);
    let latest = receipt(subject.receive(&queue, 1).await);
    let delete = |receipt| subject.sqs.delete_message().queue_url(&queue).receipt_handle(receipt).send();
    delete(older).await.unwrap();
    assert_eq!(subject.counts(&queue).await, [1, 0, 0]);
    delete(latest).await.unwrap();
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn a_forged_receipt_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let deleted = subject.sqs.delete_message().queue_url(&queue).receipt_handle("forged").send().await;
    let error = deleted.unwrap_err().into_service_error();
    assert!(error.is_receipt_handle_is_invalid(), "{error:?}");
    let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle("forged");
    let error = change.visibility_timeout(10).send().await.unwrap_err().into_service_error();
    assert!(error.is_receipt_handle_is_invalid(), "{error:?}");
}

pub async fn a_receipt_of_another_queue_is_refused(subject: &Subject) {
    let (queue, other) = (subject.queue(&[]).await, subject.queue(&[]).await);
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    let deleted = subject.sqs.delete_message().queue_url(&other).receipt_handle(receipt).send().await;
    assert!(deleted.unwrap_err().into_service_error().is_receipt_handle_is_invalid());
}

pub async fn the_visibility_of_a_deleted_message_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    subject.sqs.delete_message().queue_url(&queue).receipt_handle(&receipt).send().await.unwrap();
    let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle(&receipt);
    assert_eq!(refused(change.visibility_timeout(10).send().await), "InvalidParameterValue");
}

pub async fn the_visibility_of_a_visible_message_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    let change = |seconds| {
        let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle(&receipt);
        change.visibility_timeout(seconds).send()
    };
    change(0).await.unwrap();
    assert!(change(10).await.unwrap_err().into_service_error().is_message_not_inflight());
}

pub async fn a_visibility_above_twelve_hours_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = receipt(subject.receive(&queue, 1).await);
    let change = subject.sqs.change_message_visibility().queue_url(&queue).receipt_handle(&receipt);
    assert_eq!(refused(change.visibility_timeout(43_201).send().await), "InvalidParameterValue");
    let receive = subject.sqs.receive_message().queue_url(&queue).visibility_timeout(43_201);
    assert_eq!(refused(receive.send().await), "InvalidParameterValue");
}

//! The batch actions.

use aws_sdk_sqs::types::{
    ChangeMessageVisibilityBatchRequestEntry, DeleteMessageBatchRequestEntry, SendMessageBatchRequestEntry,
};

use crate::subject::{Subject, refused};

fn entry(id: impl Into<String>, body: impl Into<String>) -> SendMessageBatchRequestEntry {
    SendMessageBatchRequestEntry::builder().id(id).message_body(body).build().unwrap()
}

pub async fn every_entry_has_a_result_of_its_own(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let late = SendMessageBatchRequestEntry::builder().id("late").message_body("wake").delay_seconds(900).build();
    let batch = subject.sqs.send_message_batch().queue_url(&queue);
    let batch = batch.entries(entry("good", "hello")).entries(entry("bad", "\0")).entries(late.unwrap());
    let answer = batch.send().await.unwrap();
    assert_eq!(answer.successful.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), ["good", "late"]);
    assert_eq!(answer.successful[0].md5_of_message_body, "5d41402abc4b2a76b9719d911017c592");
    let [failed] = answer.failed.as_slice() else { panic!("one failed entry: {:?}", answer.failed) };
    assert_eq!((failed.id.as_str(), failed.code.as_str()), ("bad", "InvalidMessageContents"));
    assert!(failed.sender_fault);
    assert_eq!(subject.counts(&queue).await, [1, 0, 1]);
}

pub async fn a_batch_of_receipts_has_results_of_its_own(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "wake").await;
    let receipt = subject.receive(&queue, 1).await.unwrap().receipt_handle.unwrap();

    let change = |id: &str, receipt: &str| {
        let entry = ChangeMessageVisibilityBatchRequestEntry::builder().id(id).receipt_handle(receipt);
        entry.visibility_timeout(600).build().unwrap()
    };
    let batch = subject.sqs.change_message_visibility_batch().queue_url(&queue);
    let answer = batch.entries(change("real", &receipt)).entries(change("forged", "forged")).send().await.unwrap();
    assert_eq!((answer.successful[0].id.as_str(), answer.failed[0].id.as_str()), ("real", "forged"));
    assert_eq!(answer.failed[0].code, "ReceiptHandleIsInvalid");

    let delete = |id: &str, receipt: &str| {
        DeleteMessageBatchRequestEntry::builder().id(id).receipt_handle(receipt).build().unwrap()
    };
    let batch = subject.sqs.delete_message_batch().queue_url(&queue);
    let answer = batch.entries(delete("real", &receipt)).entries(delete("forged", "forged")).send().await.unwrap();
    assert_eq!((answer.successful[0].id.as_str(), answer.failed[0].id.as_str()), ("real", "forged"));
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn an_empty_batch_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let batch = subject.sqs.send_message_batch().queue_url(&queue).set_entries(Some(Vec::new()));
    let error = batch.send().await.unwrap_err().into_service_error();
    assert!(error.is_empty_batch_request(), "{error:?}");
}

pub async fn eleven_entries_are_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let entries = (0..11).map(|n| entry(n.to_string(), "wake")).collect();
    let batch = subject.sqs.send_message_batch().queue_url(&queue).set_entries(Some(entries));
    let error = batch.send().await.unwrap_err().into_service_error();
    assert!(error.is_too_many_entries_in_batch_request(), "{error:?}");
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn an_id_that_occurs_twice_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let batch = subject.sqs.send_message_batch().queue_url(&queue);
    let batch = batch.entries(entry("same", "one")).entries(entry("same", "two"));
    let error = batch.send().await.unwrap_err().into_service_error();
    assert!(error.is_batch_entry_ids_not_distinct(), "{error:?}");
}

pub async fn a_malformed_id_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    for id in ["an id".to_owned(), String::new(), "i".repeat(81)] {
        let batch = subject.sqs.send_message_batch().queue_url(&queue).entries(entry(id, "wake"));
        let error = batch.send().await.unwrap_err().into_service_error();
        assert!(error.is_invalid_batch_entry_id(), "{error:?}");
    }
}

pub async fn a_batch_over_a_mebibyte_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let body = "x".repeat(524_288);
    let batch = |last: &str| {
        let batch = subject.sqs.send_message_batch().queue_url(&queue).entries(entry("first", &body));
        batch.entries(entry("second", format!("{}{last}", &body[1..]))).send()
    };
    batch("x").await.unwrap();
    assert_eq!(refused(batch("xx").await), "AWS.SimpleQueueService.BatchRequestTooLong");
    assert_eq!(subject.counts(&queue).await, [2, 0, 0]);
}

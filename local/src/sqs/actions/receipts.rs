//! What a receiver does with its receipts: `DeleteMessage`, `ChangeMessageVisibility` and their batches.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Refusal, Service, batch, queue_name, receive::within};
use crate::sqs::message::Receipt;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct One {
    #[serde(default)]
    queue_url: String,
    #[serde(flatten)]
    entry: Entry,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Entry {
    #[serde(default)]
    id: String,
    #[serde(default)]
    receipt_handle: String,
    #[serde(default)]
    visibility_timeout: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Batch {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    entries: Vec<Entry>,
}

pub(super) fn delete(service: &Service, request: &One) -> Result<Value, Refusal> {
    delete_entry(service, queue_name(&request.queue_url)?, &request.entry)?;
    Ok(json!({}))
}

pub(super) fn delete_batch(service: &Service, request: &Batch) -> Result<Value, Refusal> {
    each(service, request, "DeleteMessageBatchRequestEntry", delete_entry)
}

pub(super) fn change(service: &Service, request: &One) -> Result<Value, Refusal> {
    change_entry(service, queue_name(&request.queue_url)?, &request.entry)?;
    Ok(json!({}))
}

pub(super) fn change_batch(service: &Service, request: &Batch) -> Result<Value, Refusal> {
    each(service, request, "ChangeMessageVisibilityBatchRequestEntry", change_entry)
}

fn each(
    service: &Service,
    request: &Batch,
    entry: &str,
    act: impl Fn(&Service, &str, &Entry) -> Result<(), Refusal>,
) -> Result<Value, Refusal> {
    let queue = queue_name(&request.queue_url)?;
    if !service.state().queues.contains_key(queue) {
        return Err(Refusal::no_queue());
    }
    batch::check(request.entries.iter().map(|entry| entry.id.as_str()), entry)?;
    let mut answer = batch::Answer::default();
    for entry in &request.entries {
        answer.add(&entry.id, act(service, queue, entry).map(|()| Map::new()));
    }
    Ok(answer.finish())
}

fn delete_entry(service: &Service, queue: &str, entry: &Entry) -> Result<(), Refusal> {
    if entry.receipt_handle.is_empty() {
        return Err(Refusal::missing("ReceiptHandle"));
    }
    service.delete(queue, &entry.receipt_handle)
}

fn change_entry(service: &Service, queue: &str, entry: &Entry) -> Result<(), Refusal> {
    let visibility = within(entry.visibility_timeout, "VisibilityTimeout", 0, 43_200)?;
    let visibility = visibility.ok_or_else(|| Refusal::missing("VisibilityTimeout"))?;
    let mut state = service.state();
    let queue = state.queues.get_mut(queue).ok_or_else(Refusal::no_queue)?;
    let receipt = Receipt::read(&entry.receipt_handle, &queue.arn)?;
    queue.change_visibility(receipt, Duration::from_secs(visibility), service.clock.now())?;
    drop(state);
    service.tell_change();
    Ok(())
}

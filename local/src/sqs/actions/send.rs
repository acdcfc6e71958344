//! `SendMessage` and `SendMessageBatch`.

use std::{collections::BTreeMap, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Refusal, Service, batch, queue_name};
use crate::sqs::{
    digest,
    message::{AttributeValue, Content},
    settings::LARGEST,
};

const LONGEST_DELAY: i64 = 900;
const ATTRIBUTES: usize = 10;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SendMessage {
    #[serde(default)]
    queue_url: String,
    #[serde(flatten)]
    entry: Entry,
}

/// One message, alone or in a batch.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Entry {
    #[serde(default)]
    id: String,
    #[serde(default)]
    message_body: String,
    #[serde(default)]
    delay_seconds: Option<i64>,
    #[serde(default)]
    message_attributes: Option<BTreeMap<String, AttributeValue>>,
    #[serde(default)]
    message_system_attributes: Option<BTreeMap<String, AttributeValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SendMessageBatch {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    entries: Vec<Entry>,
}

pub(super) async fn one(service: &Service, request: SendMessage, trace: Option<&str>) -> Result<Value, Refusal> {
    let queue = queue_name(&request.queue_url)?;
    send(service, queue, request.entry, trace).await.map(Value::Object)
}

pub(super) async fn batch(service: &Service, request: SendMessageBatch, trace: Option<&str>) -> Result<Value, Refusal> {
    let queue = queue_name(&request.queue_url)?;
    batch::check(request.entries.iter().map(|entry| entry.id.as_str()), "SendMessageBatchRequestEntry")?;
    let length: usize = request.entries.iter().map(Entry::length).sum();
    if length > LARGEST {
        let message = format!("Batch requests cannot be longer than {LARGEST} bytes. You have sent {length} bytes.");
        return Err(Refusal::new("BatchRequestTooLong", message));
    }
    let mut answer = batch::Answer::default();
    for entry in request.entries {
        let id = entry.id.clone();
        match send(service, queue, entry, trace).await {
            // Not a fault of one entry.
            Err(refusal) if matches!(refusal.code, "QueueDoesNotExist" | "InternalFailure") => return Err(refusal),
            result => answer.add(&id, result),
        }
    }
    Ok(answer.finish())
}

async fn send(
    service: &Service,
    queue: &str,
    entry: Entry,
    trace: Option<&str>,
) -> Result<Map<String, Value>, Refusal> {
    let maximum_size = service.state().queues.get(queue).ok_or_else(Refusal::no_queue)?.settings.maximum_size;
    entry.check(maximum_size)?;
    let attributes = entry.message_attributes.unwrap_or_default();
    let system = entry.message_system_attributes.unwrap_or_default();
    let own_trace = system.get("AWSTraceHeader").and_then(|value| value.string_value.as_deref());
    let content = Content {
        id: Uuid::new_v4().to_string(),
        body: entry.message_body,
        trace: own_trace.or(trace).map(str::to_owned),
        attributes,
    };
    let mut answer = Map::new();
    answer.insert("MessageId".to_owned(), json!(content.id));
    answer.insert("MD5OfMessageBody".to_owned(), json!(digest::of_body(&content.body)));
    if let Some(sum) = digest::of_attributes(&content.attributes) {
        answer.insert("MD5OfMessageAttributes".to_owned(), json!(sum));
    }
    if let Some(sum) = digest::of_attributes(&system) {
        answer.insert("MD5OfMessageSystemAttributes".to_owned(), json!(sum));
    }
    let delay = entry.delay_seconds.map(|seconds| Duration::from_secs(seconds.unsigned_abs()));
    service.send(queue, content, delay).await?;
    Ok(answer)
}

impl Entry {
    fn length(&self) -> usize {
        let attributes = self.message_attributes.iter().flatten();
        let attributes = attributes.map(|(name, value)| name.len() + value.data_type.len() + value.content().len());
        self.message_body.len() + attributes.sum::<usize>()
    }

    fn check(&self, maximum_size: usize) -> Result<(), Refusal> {
        if self.message_body.is_empty() {
            return Err(Refusal::missing("MessageBody"));
        }
        if !self.message_body.chars().all(is_allowed) {
            let message = "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF \
                           | #xE000 to #xFFFD | #x10000 to #x10FFFF";
            return Err(Refusal::new("InvalidMessageContents", message));
        }
        if self.length() > maximum_size {
            let reason = format!("Message must be shorter than {maximum_size} bytes.");
            return Err(Refusal::new(
                "InvalidParameterValue",
                format!("One or more parameters are invalid. Reason: {reason}"),
            ));
        }
        if let Some(delay) = self.delay_seconds.filter(|delay| !(0..=LONGEST_DELAY).contains(delay)) {
            let reason = format!("DelaySeconds must be >= 0 and <= {LONGEST_DELAY}.");
            return Err(Refusal::value(delay, "DelaySeconds", reason));
        }
        self.check_attributes()
    }

    fn check_attributes(&self) -> Result<(), Refusal> {
        let attributes = self.message_attributes.iter().flatten();
        let count = attributes.clone().count();
        if count > ATTRIBUTES {
            let message = format!("Number of message attributes [{count}] exceeds the allowed maximum [{ATTRIBUTES}].");
            return Err(Refusal::new("InvalidParameterValue", message));
        }
        for (name, value) in attributes {
            let kind = value.data_type.split('.').next().unwrap_or_default();
            if !["String", "Number", "Binary"].contains(&kind) {
                let message = format!(
                    "The type of message attribute '{name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String."
                );
                return Err(Refusal::new("InvalidParameterValue", message));
            }
            if value.content().is_empty() {
                let message = format!(
                    "The message attribute '{name}' must contain non-empty message attribute value for message \
                     attribute type '{kind}'."
                );
                return Err(Refusal::new("InvalidParameterValue", message));
            }
        }
        Ok(())
    }
}

/// The characters of XML 1.0, which SQS kept.
fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

//! `GetQueueAttributes` and `SetQueueAttributes`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, Service, queue_name};

/// The names that may be asked for; others are refused, as a typing error would be.
const NAMES: [&str; 18] = [
    "All",
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesDelayed",
    "ApproximateNumberOfMessagesNotVisible",
    "CreatedTimestamp",
    "DelaySeconds",
    "KmsDataKeyReusePeriodSeconds",
    "KmsMasterKeyId",
    "LastModifiedTimestamp",
    "MaximumMessageSize",
    "MessageRetentionPeriod",
    "Policy",
    "QueueArn",
    "ReceiveMessageWaitTimeSeconds",
    "RedriveAllowPolicy",
    "RedrivePolicy",
    "SqsManagedSseEnabled",
    "VisibilityTimeout",
];

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct GetQueueAttributes {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    attribute_names: Option<Vec<String>>,
}

pub(super) fn answer(service: &Service, request: &GetQueueAttributes) -> Result<Value, Refusal> {
    let name = queue_name(&request.queue_url)?;
    let wanted = request.attribute_names.as_deref().unwrap_or_default();
    if let Some(unknown) = wanted.iter().find(|name| !NAMES.contains(&name.as_str())) {
        return Err(Refusal::new("InvalidAttributeName", format!("Unknown Attribute {unknown}.")));
    }
    let state = service.state();
    let queue = state.queues.get(name).ok_or_else(Refusal::no_queue)?;
    let counts = queue.counts(service.clock.now());
    let seconds = |instant| (service.clock.epoch_millis(instant) / 1_000).to_string();
    let mut all = queue.settings.all(&Service::arn_prefix());
    all.extend(
        [
            ("QueueArn", queue.arn.clone()),
            ("CreatedTimestamp", seconds(queue.created_at)),
            ("LastModifiedTimestamp", seconds(queue.modified_at)),
            ("ApproximateNumberOfMessages", counts.visible.to_string()),
            ("ApproximateNumberOfMessagesNotVisible", counts.in_flight.to_string()),
            ("ApproximateNumberOfMessagesDelayed", counts.delayed.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    if !wanted.iter().any(|name| name == "All") {
        all.retain(|name, _| wanted.contains(name));
    }
    Ok(if all.is_empty() { json!({}) } else { json!({ "Attributes": all }) })
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SetQueueAttributes {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
}

pub(super) fn set(service: &Service, request: &SetQueueAttributes) -> Result<Value, Refusal> {
    let name = queue_name(&request.queue_url)?;
    let mut state = service.state();
    // Set on a copy, so that a refused attribute leaves all of them as they were.
    let mut settings = state.queues.get(name).ok_or_else(Refusal::no_queue)?.settings.clone();
    for (attribute, value) in &request.attributes {
        settings.set(attribute, value, &Service::arn_prefix())?;
    }
    settings.check_dead_letter(|target| state.queues.contains_key(target))?;
    let queue = state.queues.get_mut(name).ok_or_else(Refusal::no_queue)?;
    queue.settings = settings;
    queue.modified_at = service.clock.now();
    drop(state);
    service.tell_change();
    Ok(json!({}))
}

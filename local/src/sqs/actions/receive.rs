//! `ReceiveMessage`.

use std::{collections::BTreeMap, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, Service, queue_name};
use crate::sqs::{
    digest,
    message::{AttributeValue, Delivered},
};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ReceiveMessage {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    attribute_names: Option<Vec<String>>,
    #[serde(default)]
    message_system_attribute_names: Option<Vec<String>>,
    #[serde(default)]
    message_attribute_names: Option<Vec<String>>,
    #[serde(default)]
    max_number_of_messages: Option<i64>,
    #[serde(default)]
    visibility_timeout: Option<i64>,
    #[serde(default)]
    wait_time_seconds: Option<i64>,
}

pub(super) async fn answer(service: &Service, request: ReceiveMessage) -> Result<Value, Refusal> {
    let queue = queue_name(&request.queue_url)?;
    let most = within(request.max_number_of_messages, "MaxNumberOfMessages", 1, 10)?.unwrap_or(1);
    let visibility = within(request.visibility_timeout, "VisibilityTimeout", 0, 43_200)?.map(Duration::from_secs);
    let wait = within(request.wait_time_seconds, "WaitTimeSeconds", 0, 20)?.map(Duration::from_secs);
    let delivered = service.receive(queue, most as usize, visibility, wait).await?;
    if delivered.is_empty() {
        return Ok(json!({}));
    }
    // The older name of the same parameter.
    let system = [request.attribute_names, request.message_system_attribute_names].into_iter().flatten().flatten();
    let system: Vec<String> = system.collect();
    let attributes = request.message_attribute_names.unwrap_or_default();
    let messages: Vec<Value> =
        delivered.iter().map(|delivered| message(service, queue, delivered, &system, &attributes)).collect();
    Ok(json!({ "Messages": messages }))
}

fn message(service: &Service, queue: &str, delivered: &Delivered, system: &[String], attributes: &[String]) -> Value {
    let content = &delivered.message.content;
    let arn = format!("{}{queue}", Service::arn_prefix());
    let mut message = json!({
        "MessageId": content.id,
        "ReceiptHandle": delivered.receipt.handle(&arn),
        "MD5OfBody": digest::of_body(&content.body),
        "Body": content.body,
    });
    let mut all = delivered.system_attributes(&service.clock);
    if !system.iter().any(|name| name == "All") {
        all.retain(|name, _| system.iter().any(|wanted| wanted == name));
    }
    if !all.is_empty() {
        message["Attributes"] = json!(all);
    }
    let chosen: BTreeMap<String, AttributeValue> =
        content.attributes.clone().into_iter().filter(|(name, _)| is_wanted(name, attributes)).collect();
    if let Some(sum) = digest::of_attributes(&chosen) {
        message["MD5OfMessageAttributes"] = json!(sum);
        message["MessageAttributes"] = json!(chosen);
    }
    message
}

/// Whether one of the names asks for `name`: itself, all, or all with a prefix.
fn is_wanted(name: &str, wanted: &[String]) -> bool {
    wanted.iter().any(|wanted| match wanted.strip_suffix(".*") {
        Some(prefix) => name.starts_with(prefix),
        None => wanted == "All" || wanted == name,
    })
}

pub(super) fn within(value: Option<i64>, parameter: &str, least: i64, most: i64) -> Result<Option<u64>, Refusal> {
    match value {
        Some(value) if !(least..=most).contains(&value) => {
            Err(Refusal::value(value, parameter, format!("Must be >= {least} and <= {most}, if provided.")))
        }
        value => Ok(value.map(i64::unsigned_abs)),
    }
}

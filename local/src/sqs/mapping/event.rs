//! The event that Lambda makes of a message.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::super::{
    digest,
    message::{AttributeValue, Delivered},
    service::{REGION, Service},
};

/// An event with one record.
pub(super) fn of(service: &Service, queue_arn: &str, delivered: &Delivered) -> Bytes {
    let content = &delivered.message.content;
    let attributes: Map<String, Value> =
        content.attributes.iter().map(|(name, value)| (name.clone(), attribute(value))).collect();
    let mut record = json!({
        "messageId": content.id,
        "receiptHandle": delivered.receipt.handle(queue_arn),
        "body": content.body,
        "attributes": delivered.system_attributes(&service.clock),
        "messageAttributes": attributes,
        "md5OfBody": digest::of_body(&content.body),
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn,
        "awsRegion": REGION,
    });
    if let Some(sum) = digest::of_attributes(&content.attributes) {
        record["md5OfMessageAttributes"] = json!(sum);
    }
    Bytes::from(json!({ "Records": [record] }).to_string())
}

fn attribute(value: &AttributeValue) -> Value {
    let mut attribute = json!({ "stringListValues": [], "binaryListValues": [], "dataType": value.data_type });
    if let Some(string) = &value.string_value {
        attribute["stringValue"] = json!(string);
    }
    if let Some(binary) = &value.binary_value {
        attribute["binaryValue"] = json!(binary);
    }
    attribute
}

//! A message, and the receipt that one delivery of it hands out.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::{clock::Clock, refusal::Refusal, service::ACCOUNT};

/// The value of a message attribute, as the protocol writes it (a binary one in Base64).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct AttributeValue {
    /// `String`, `Number` or `Binary`, with an optional label behind a dot.
    #[serde(default)]
    pub data_type: String,
    /// The value of a string or number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string_value: Option<String>,
    /// The value of a binary, in Base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary_value: Option<String>,
}

impl AttributeValue {
    pub(super) fn is_binary(&self) -> bool {
        self.data_type.starts_with("Binary")
    }

    /// The bytes that count and are summed up.
    pub(super) fn content(&self) -> Cow<'_, [u8]> {
        if self.is_binary() {
            let encoded = self.binary_value.as_deref().unwrap_or_default();
            Cow::Owned(BASE64_STANDARD.decode(encoded).unwrap_or_default())
        } else {
            Cow::Borrowed(self.string_value.as_deref().unwrap_or_default().as_bytes())
        }
    }
}

/// What a sender hands in, after its checks.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) id: String,
    pub(super) body: String,
    pub(super) attributes: BTreeMap<String, AttributeValue>,
    /// The X-Ray header: of the message's own system attribute, or else of the request that sent it.
    pub(super) trace: Option<String>,
}

/// A stored message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) content: Content,
    pub(super) sent_at: Instant,
    pub(super) visible_at: Instant,
    pub(super) first_received_at: Option<Instant>,
    pub(super) receives: u32,
    /// Number of the latest delivery; an older one deletes nothing.
    pub(super) delivery: u64,
    /// ARN of the queue that gave it up.
    pub(super) dead_letter_source: Option<String>,
    /// A second delivery that the duplicates switch made; it makes no third.
    pub(super) is_duplicate: bool,
}

impl Message {
    pub(super) fn peeked(&self, now: Instant) -> Peeked {
        let Content { id, body, .. } = self.content.clone();
        Peeked { id, body, receives: self.receives, age: now.saturating_duration_since(self.sent_at) }
    }
}

/// A message as somebody sees it who doesn't receive it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peeked {
    /// Its id.
    pub id: String,
    /// What it says.
    pub body: String,
    /// How often it was received.
    pub receives: u32,
    /// Since it was sent.
    pub age: Duration,
}

/// One delivery of a message.
#[derive(Debug, Clone)]
pub(super) struct Delivered {
    pub(super) message: Message,
    pub(super) receipt: Receipt,
}

impl Delivered {
    /// The attributes that SQS adds.
    pub(super) fn system_attributes(&self, clock: &Clock) -> BTreeMap<&'static str, String> {
        let message = &self.message;
        let first = message.first_received_at.unwrap_or(message.sent_at);
        let mut all = BTreeMap::from([
            ("ApproximateFirstReceiveTimestamp", clock.epoch_millis(first).to_string()),
            ("ApproximateReceiveCount", message.receives.to_string()),
            ("SenderId", ACCOUNT.to_owned()),
            ("SentTimestamp", clock.epoch_millis(message.sent_at).to_string()),
        ]);
        all.extend(message.content.trace.clone().map(|trace| ("AWSTraceHeader", trace)));
        all.extend(message.dead_letter_source.clone().map(|arn| ("DeadLetterQueueSourceArn", arn)));
        all
    }
}

/// What a receipt handle says. It survives the message, so that a late delete can be told from a forged one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) sequence: u64,
    pub(super) delivery: u64,
}

impl Receipt {
    pub(super) fn handle(self, queue_arn: &str) -> String {
        BASE64_STANDARD.encode(format!("{queue_arn} {} {}", self.sequence, self.delivery))
    }

    /// Reads a handle; one of another queue is as invalid as a forged one.
    pub(super) fn read(handle: &str, queue_arn: &str) -> Result<Self, Refusal> {
        let text = BASE64_STANDARD.decode(handle).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.as_deref()
            .and_then(|text| text.strip_prefix(queue_arn)?.strip_prefix(' ')?.split_once(' '))
            .and_then(|(sequence, delivery)| {
                Some(Self { sequence: sequence.parse().ok()?, delivery: delivery.parse().ok()? })
            })
            .ok_or_else(|| Refusal::receipt(handle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_is_read_back_by_its_own_queue_only() {
        let receipt = Receipt { sequence: 7, delivery: 42 };
        let handle = receipt.handle("arn:aws:sqs:eu-central-1:000000000000:wakes");
        assert_eq!(Receipt::read(&handle, "arn:aws:sqs:eu-central-1:000000000000:wakes"), Ok(receipt));
        for (handle, arn) in
            [(handle.as_str(), "arn:aws:sqs:eu-central-1:000000000000:wake"), ("garbage", "x"), ("", "x")]
        {
            assert_eq!(Receipt::read(handle, arn).unwrap_err().code, "ReceiptHandleIsInvalid");
        }
    }
}

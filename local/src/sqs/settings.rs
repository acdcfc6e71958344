//! The attributes of a queue that can be set, with SQS's ranges and defaults.

use std::{collections::BTreeMap, ops::RangeInclusive, time::Duration};

use serde_json::{Value, json};

use super::refusal::Refusal;

/// The largest message, and the largest batch, in bytes.
pub(super) const LARGEST: usize = 1_048_576;

/// How a queue behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How long a received message stays hidden.
    pub visibility: Duration,
    /// How long a message waits that names no delay of its own.
    pub delay: Duration,
    /// How long a message is kept.
    pub retention: Duration,
    /// How long a receive waits that names no time of its own.
    pub receive_wait: Duration,
    /// The largest message, in bytes.
    pub maximum_size: usize,
    /// Where a message goes that was received too often.
    pub redrive: Option<Redrive>,
    /// Attributes that are kept and answered, and change nothing here (policies, encryption).
    pub other: BTreeMap<String, String>,
}

/// A redrive policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redrive {
    /// Name of the dead-letter queue; it has to exist first.
    pub dead_letter: String,
    /// Receives after which a message is given up.
    pub max_receive_count: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            visibility: Duration::from_secs(30),
            delay: Duration::ZERO,
            retention: Duration::from_hours(4 * 24),
            receive_wait: Duration::ZERO,
            maximum_size: LARGEST,
            redrive: None,
            other: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Sets one attribute. `arn_prefix` turns the ARN of a dead-letter queue into its name.
    pub(super) fn set(&mut self, name: &str, value: &str, arn_prefix: &str) -> Result<(), Refusal> {
        match name {
            "VisibilityTimeout" => self.visibility = seconds(name, value, 0..=43_200)?,
            "DelaySeconds" => self.delay = seconds(name, value, 0..=900)?,
            "MessageRetentionPeriod" => self.retention = seconds(name, value, 60..=1_209_600)?,
            "ReceiveMessageWaitTimeSeconds" => self.receive_wait = seconds(name, value, 0..=20)?,
            "MaximumMessageSize" => self.maximum_size = number(name, value, 1_024..=LARGEST as u64)? as usize,
            // An empty policy takes it away.
            "RedrivePolicy" if value.is_empty() => self.redrive = None,
            "RedrivePolicy" => self.redrive = Some(Redrive::read(value, arn_prefix)?),
            "Policy" | "RedriveAllowPolicy" if value.is_empty() => {
                self.other.remove(name);
            }
            "Policy"
            | "RedriveAllowPolicy"
            | "KmsMasterKeyId"
            | "KmsDataKeyReusePeriodSeconds"
            | "SqsManagedSseEnabled" => {
                self.other.insert(name.to_owned(), value.to_owned());
            }
            unknown => return Err(Refusal::new("InvalidAttributeName", format!("Unknown Attribute {unknown}."))),
        }
        Ok(())
    }

    /// Refuses a redrive policy whose queue doesn't exist.
    pub(super) fn check_dead_letter(&self, exists: impl Fn(&str) -> bool) -> Result<(), Refusal> {
        match &self.redrive {
            Some(Redrive { dead_letter, .. }) if !exists(dead_letter) => {
                Err(Refusal::value(dead_letter, "RedrivePolicy", "Dead letter target does not exist."))
            }
            _ => Ok(()),
        }
    }

    /// All attributes, as SQS writes them.
    pub(super) fn all(&self, arn_prefix: &str) -> BTreeMap<String, String> {
        let mut all = self.other.clone();
        all.insert("VisibilityTimeout".to_owned(), self.visibility.as_secs().to_string());
        all.insert("DelaySeconds".to_owned(), self.delay.as_secs().to_string());
        all.insert("MessageRetentionPeriod".to_owned(), self.retention.as_secs().to_string());
        all.insert("ReceiveMessageWaitTimeSeconds".to_owned(), self.receive_wait.as_secs().to_string());
        all.insert("MaximumMessageSize".to_owned(), self.maximum_size.to_string());
        if let Some(Redrive { dead_letter, max_receive_count }) = &self.redrive {
            let policy = json!({
                "deadLetterTargetArn": format!("{arn_prefix}{dead_letter}"),
                "maxReceiveCount": max_receive_count,
            });
            all.insert("RedrivePolicy".to_owned(), policy.to_string());
        }
        all
    }
}

impl Redrive {
    fn read(value: &str, arn_prefix: &str) -> Result<Self, Refusal> {
        let invalid = |reason: &str| Refusal::value(value, "RedrivePolicy", reason);
        let policy: Value =
            serde_json::from_str(value).map_err(|_| invalid("Redrive policy is not a valid JSON map."))?;
        let target = policy["deadLetterTargetArn"]
            .as_str()
            .ok_or_else(|| invalid("Redrive policy does not contain mandatory attribute: deadLetterTargetArn."))?;
        let dead_letter =
            target.strip_prefix(arn_prefix).ok_or_else(|| invalid("Invalid value for deadLetterTargetArn."))?;
        // Both 3 and "3" are in use.
        let count = &policy["maxReceiveCount"];
        let count = count.as_u64().or_else(|| count.as_str()?.parse().ok());
        match count {
            Some(count @ 1..=1_000) => {
                Ok(Self { dead_letter: dead_letter.to_owned(), max_receive_count: count as u32 })
            }
            Some(_) => Err(invalid("Invalid value for maxReceiveCount: must be between 1 and 1000.")),
            None => Err(invalid("Redrive policy does not contain mandatory attribute: maxReceiveCount.")),
        }
    }
}

fn seconds(name: &str, value: &str, range: RangeInclusive<u64>) -> Result<Duration, Refusal> {
    number(name, value, range).map(Duration::from_secs)
}

fn number(name: &str, value: &str, range: RangeInclusive<u64>) -> Result<u64, Refusal> {
    value
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| Refusal::new("InvalidAttributeValue", format!("Invalid value for the parameter {name}.")))
}

//! What SQS refuses, in its own words: clients match on these codes.

use std::fmt::Display;

/// An error answer of SQS.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refusal {
    /// The shape name of the JSON protocol (`QueueDoesNotExist`).
    pub code: &'static str,
    /// For a reader.
    pub message: String,
}

impl Refusal {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(super) fn no_queue() -> Self {
        Self::new("QueueDoesNotExist", "The specified queue does not exist.")
    }

    pub(super) fn missing(parameter: &str) -> Self {
        Self::new("MissingParameter", format!("The request must contain the parameter {parameter}."))
    }

    pub(super) fn value(value: impl Display, parameter: &str, reason: impl Display) -> Self {
        Self::new(
            "InvalidParameterValue",
            format!("Value {value} for parameter {parameter} is invalid. Reason: {reason}"),
        )
    }

    pub(super) fn receipt(handle: &str) -> Self {
        Self::new(
            "ReceiptHandleIsInvalid",
            format!("The input receipt handle \"{handle}\" is not a valid receipt handle."),
        )
    }

    /// The code in `__type`: errors of the model in SQS's namespace, the others in that of the service framework.
    pub(super) fn kind(&self) -> String {
        match self.code {
            "InvalidParameterValue" => "com.amazon.coral.service#InvalidParameterValueException".to_owned(),
            "MissingParameter" => "com.amazon.coral.service#MissingRequiredParameterException".to_owned(),
            "InternalError" | "InternalFailure" | "SerializationException" | "UnknownOperationException" => {
                format!("com.amazon.coral.service#{}", self.code)
            }
            modelled => format!("com.amazonaws.sqs#{modelled}"),
        }
    }

    /// The code of the older Query protocol, which SDKs put in place of the shape name.
    pub(super) fn query_code(&self) -> String {
        match self.code {
            "QueueDoesNotExist" => "AWS.SimpleQueueService.NonExistentQueue".to_owned(),
            "QueueNameExists" => "QueueAlreadyExists".to_owned(),
            "BatchEntryIdsNotDistinct"
            | "BatchRequestTooLong"
            | "EmptyBatchRequest"
            | "InvalidBatchEntryId"
            | "MessageNotInflight"
            | "PurgeQueueInProgress"
            | "QueueDeletedRecently"
            | "TooManyEntriesInBatchRequest"
            | "UnsupportedOperation" => format!("AWS.SimpleQueueService.{}", self.code),
            same => same.to_owned(),
        }
    }

    pub(super) fn is_receivers_fault(&self) -> bool {
        matches!(self.code, "InternalError" | "InternalFailure")
    }
}

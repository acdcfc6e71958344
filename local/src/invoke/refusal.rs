//! What Lambda refuses, in its own words: SDKs match on these codes.

use std::fmt::Display;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::name::Name;
use crate::sqs::{ACCOUNT, REGION};

/// An error of the API, as against one of the function.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NoFunction(String),
    NotJson(String),
    /// The payload exceeds so many bytes.
    TooLarge(usize),
    /// Every instance is busy.
    Throttled,
    Invalid(String),
    Constraint(String),
}

impl Refusal {
    pub(super) fn no_function(Name { function, qualifier }: &Name) -> Self {
        let qualifier = qualifier.as_ref().map(|qualifier| format!(":{qualifier}")).unwrap_or_default();
        let arn = format!("arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function}{qualifier}");
        Self::NoFunction(format!("Function not found: {arn}"))
    }

    pub(super) fn not_json(error: &dyn Display) -> Self {
        Self::NotJson(format!("Could not parse request body into json: {error}"))
    }

    pub(super) fn invalid(message: &str) -> Self {
        Self::Invalid(message.to_owned())
    }

    pub(super) fn constraint(value: &str, field: &str, pattern: &str) -> Self {
        Self::broken(value, field, "regular expression pattern", pattern)
    }

    pub(super) fn one_of(value: &str, field: &str, set: &str) -> Self {
        Self::broken(value, field, "enum value set", set)
    }

    fn broken(value: &str, field: &str, what: &str, allowed: &str) -> Self {
        Self::Constraint(format!(
            "1 validation error detected: Value '{value}' at '{field}' failed to satisfy constraint: Member must satisfy \
             {what}: {allowed}"
        ))
    }

    /// Status, code and document; `Message` or `message`, as the API's model has it.
    fn parts(self) -> (StatusCode, &'static str, Value) {
        let of_user = |message: String| json!({"Type": "User", "message": message});
        match self {
            Self::NoFunction(message) => {
                (StatusCode::NOT_FOUND, "ResourceNotFoundException", json!({"Type": "User", "Message": message}))
            }
            Self::NotJson(message) => (StatusCode::BAD_REQUEST, "InvalidRequestContentException", of_user(message)),
            Self::TooLarge(most) => {
                let message = format!("Request must be smaller than {most} bytes for the InvokeFunction operation");
                (StatusCode::PAYLOAD_TOO_LARGE, "RequestTooLargeException", of_user(message))
            }
            Self::Throttled => {
                let reason = "ReservedFunctionConcurrentInvocationLimitExceeded";
                let document = json!({"Type": "User", "Reason": reason, "message": "Rate Exceeded."});
                (StatusCode::TOO_MANY_REQUESTS, "TooManyRequestsException", document)
            }
            Self::Invalid(message) => (StatusCode::BAD_REQUEST, "InvalidParameterValueException", of_user(message)),
            Self::Constraint(message) => (StatusCode::BAD_REQUEST, "ValidationException", json!({"message": message})),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, code, document) = self.parts();
        (status, [("x-amzn-errortype", code)], Json(document)).into_response()
    }
}

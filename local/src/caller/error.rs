//! Why an invocation has no answer.

use std::error::Error;
use std::io;

use aws_sdk_lambda::error::{ProvideErrorMetadata, SdkError};
use pushwake::contract::UNAVAILABLE;
use serde::Deserialize;

/// Why an invocation has no answer, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Nobody is there.
    #[error("nothing listens at {0}: start a stack with `cargo run -- up`")]
    NoStack(String),
    /// What was asked for can't be.
    #[error("{0}")]
    Usage(String),
    /// Standard output takes nothing.
    #[error("can't say what became of it: {0}")]
    Output(String),
    /// Every instance was busy, again and again.
    #[error("every instance is busy: try again, or with a lower --concurrency")]
    Throttled,
    /// The endpoint refused the invocation.
    #[error("{code}: {message}")]
    Refused {
        /// Lambda's code.
        code: String,
        /// What it says.
        message: String,
    },
    /// The function answered with an error.
    #[error("{message}")]
    Function {
        /// `errorType` of the answer.
        kind: String,
        /// `errorMessage` of the answer.
        message: String,
    },
    /// The connection broke, or nothing came in time.
    #[error("no answer of {0}: try again")]
    NoAnswer(String),
    /// The answer has another shape.
    #[error("the answer can't be read: is another revision of Pushwake running there?")]
    Unreadable,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    error_type: String,
    error_message: String,
}

impl CallError {
    pub(super) fn of<E, R>(error: &SdkError<E, R>, endpoint: &str) -> Self
    where
        E: ProvideErrorMetadata + Error + 'static,
        R: std::fmt::Debug,
    {
        match (error.code(), error) {
            (Some("TooManyRequestsException"), _) => Self::Throttled,
            (Some(code), _) => {
                Self::Refused { code: code.to_owned(), message: error.message().unwrap_or_default().to_owned() }
            }
            (None, SdkError::DispatchFailure(failure))
                if failure.as_connector_error().is_some_and(|e| is_refused(e)) =>
            {
                Self::NoStack(endpoint.to_owned())
            }
            (None, SdkError::ServiceError(_) | SdkError::ResponseError(_)) => Self::Unreadable,
            _ => Self::NoAnswer(endpoint.to_owned()),
        }
    }

    pub(super) fn of_function(said: &str) -> Self {
        match serde_json::from_str(said) {
            Ok(Said { error_type, error_message }) => Self::Function { kind: error_type, message: error_message },
            Err(_) => Self::Unreadable,
        }
    }

    pub(super) fn is_worth_another_try(&self) -> bool {
        match self {
            Self::Throttled | Self::NoAnswer(_) => true,
            Self::Function { kind, .. } => kind == UNAVAILABLE,
            Self::NoStack(_) | Self::Usage(_) | Self::Output(_) | Self::Refused { .. } | Self::Unreadable => false,
        }
    }

    /// What it is, in a word, for programs.
    pub fn word(&self) -> &str {
        match self {
            Self::NoStack(_) => "no_stack",
            Self::Usage(_) => "usage",
            Self::Output(_) => "output",
            Self::Throttled => "throttled",
            Self::Refused { code, .. } => code,
            Self::Function { kind, .. } => kind,
            Self::NoAnswer(_) => "no_answer",
            Self::Unreadable => "unreadable",
        }
    }

    /// The exit status it ends a command with.
    pub fn status(&self) -> u8 {
        match self {
            Self::NoStack(_) => crate::terminal::NO_STACK,
            Self::Usage(_) => crate::terminal::USAGE,
            _ => crate::terminal::FAILED,
        }
    }
}

fn is_refused(error: &(dyn Error + 'static)) -> bool {
    let refused =
        error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused);
    refused || error.source().is_some_and(is_refused)
}

//! How an invocation ended.

use std::fmt;

use bytes::Bytes;
use serde::de::DeserializeOwned;

/// How an invocation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invocation {
    /// The function answered.
    Ok(Bytes),
    /// The function answered with an error; its instance lives on.
    FunctionError {
        /// `errorType` of the answer.
        kind: String,
        /// `errorMessage` of the answer.
        message: String,
    },
    /// The function ran into its time-out, and its instance was killed.
    TimedOut,
    /// The instance ended in the middle of the invocation.
    Crashed {
        /// Its exit status, and the last line it wrote to standard error.
        status: String,
    },
    /// The instance ended, or said it can't start, before it asked for its first invocation.
    InitError {
        /// What it said.
        message: String,
    },
    /// Every instance was busy.
    Throttled,
}

impl Invocation {
    /// Whether the function answered without an error.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Ok(_))
    }

    /// The answer; anything else comes back as it was.
    pub fn answer(self) -> Result<Bytes, Self> {
        match self {
            Self::Ok(answer) => Ok(answer),
            other => Err(other),
        }
    }

    /// The answer, read as JSON; one of another shape is a function error.
    pub fn json<T: DeserializeOwned>(self) -> Result<T, Self> {
        let answer = self.answer()?;
        serde_json::from_slice(&answer).map_err(|error| {
            let message = format!("the answer has another shape than expected: {error}");
            Self::FunctionError { kind: "Local.UnexpectedAnswer".to_owned(), message }
        })
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok(_) => write!(f, "it answered"),
            Self::FunctionError { kind, message } => write!(f, "{kind}: {message}"),
            Self::TimedOut => write!(f, "it ran into its time-out and was killed"),
            Self::Crashed { status } => write!(f, "its instance ended: {status}"),
            Self::InitError { message } => write!(f, "its instance did not start: {message}"),
            Self::Throttled => write!(f, "every instance was busy"),
        }
    }
}

//! What an invocation answers instead of a response.

use serde::{Deserialize, Serialize};

/// The error type of a request that can't be answered per device, since its devices can't be read.
pub const INVALID_REQUEST: &str = "Pushwake.InvalidRequest";
/// The error type of a call to make again: Postgres did not take it, or its answer was lost.
pub const UNAVAILABLE: &str = "Pushwake.Unavailable";

/// The payload of an invocation with a `FunctionError`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallError {
    /// [`INVALID_REQUEST`], [`UNAVAILABLE`], or what Lambda says of a function that was stopped; absent if it timed out.
    #[serde(default)]
    pub error_type: String,
    /// What is wrong, without any content.
    #[serde(default)]
    pub error_message: String,
}

impl CallError {
    /// The same call would be refused again. Of any other error nobody knows what was queued: call again, with the
    /// same event and content.
    pub fn is_final(&self) -> bool {
        self.error_type == INVALID_REQUEST
    }
}

//! What a caller sees instead of an answer.

use pushwake::contract::Fault;
use pushwake::function::Failure;
use pushwake::queue::QueueError;

/// The error type of a request that can't be answered per device, since its devices can't be read.
pub const INVALID_REQUEST: &str = "Pushwake.InvalidRequest";
/// The error type of a call to make again: Postgres did not take it, or its answer was lost.
pub const UNAVAILABLE: &str = "Pushwake.Unavailable";

pub(crate) fn invalid(fault: &Fault) -> Failure {
    Failure { error_type: INVALID_REQUEST, message: fault.to_string() }
}

pub(crate) fn unavailable(error: &QueueError) -> Failure {
    let message = format!("{error}; call again with the same event: what is queued by then answers `duplicate`");
    Failure { error_type: UNAVAILABLE, message }
}

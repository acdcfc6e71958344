//! What a caller sees instead of an answer.

use pushwake::contract::{Fault, INVALID_REQUEST, UNAVAILABLE};
use pushwake::function::Failure;
use pushwake::queue::QueueError;

pub(crate) fn invalid(fault: &Fault) -> Failure {
    Failure { error_type: INVALID_REQUEST, message: fault.to_string() }
}

pub(crate) fn unavailable(error: &QueueError) -> Failure {
    let message = format!("{error}; call again with the same event: what is queued by then answers `duplicate`");
    Failure { error_type: UNAVAILABLE, message }
}

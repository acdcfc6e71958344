//! Why the demo did not come to a report.

use pushwake::contract::Status;

use crate::runtime_api::Invocation;
use crate::stack::StackError;

/// Why the demo did not come to a report.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The product did not start, or not stop.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// Enqueue did not answer, however often it was called.
    #[error("enqueue did not answer: {0}")]
    Enqueue(Box<Invocation>),
    /// Enqueue refused what the demo asked for.
    #[error("enqueue answered {status:?} for a device of the demo{}", reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Refused {
        /// Its answer.
        status: Status,
        /// Its reason.
        reason: Option<String>,
    },
    /// What is left in the queue can't be counted.
    #[error("can't count what is left in the queue: {0}")]
    Left(#[from] sqlx::Error),
    /// The report was not written.
    #[error("can't write the report: {0}")]
    Report(#[source] std::io::Error),
}

//! Why a stack did not start.

use crate::build::BuildError;
use crate::postgres::ClusterError;
use crate::runtime_api::Invocation;
use crate::sqs::Refusal;

/// Why a stack did not start, or not end.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// No function binaries.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// No database.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// No simulated provider.
    #[error(transparent)]
    Provider(#[from] crate::apns::StartError),
    /// No folder for the provider's key.
    #[error("can't write to a temporary folder: {0}")]
    Folder(std::io::Error),
    /// No port on loopback.
    #[error("can't listen on loopback: {0}")]
    Listen(#[from] std::io::Error),
    /// The SQS endpoint refused a setting.
    #[error("the SQS endpoint refused a queue: {0:?}")]
    Queue(Refusal),
    /// migrate did not succeed.
    #[error("migrate did not succeed: {0}")]
    NotMigrated(Box<Invocation>),
}

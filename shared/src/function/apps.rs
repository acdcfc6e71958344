//! Where the configured apps are: their public part, which enqueue and drain read.

use aws_sdk_ssm::Client;

use super::aws;
use crate::app::{Apps, AppsError};

/// The apps, or where they are. A function's variables hold 4 KB in all, so on AWS they are one parameter of SSM.
#[derive(Clone, Debug, PartialEq)]
pub enum AppsRef {
    /// The apps themselves.
    Here(Apps),
    /// `ssm:<name>`: a parameter of SSM whose value is their JSON. `name:version` pins a version of it, so that a
    /// change of the apps is a deploy, and can be rolled back like one.
    Parameter(String),
}

/// Apps that can't be read. The messages hold the parameter's name only.
#[derive(Debug, thiserror::Error)]
pub enum AppsRefError {
    /// SSM did not give the parameter out.
    #[error("the parameter {0} can't be read: {1}; check its name and the function's policy")]
    Unread(String, String),
    /// It holds no apps.
    #[error("the parameter {0} has faults: {1}")]
    Faulty(String, AppsError),
}

impl AppsRef {
    /// Reads a reference: the apps themselves, `file:<path>` of them, or `ssm:<name>`. The error says what it must be
    /// instead, and quotes nothing.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(parameter) = text.strip_prefix("ssm:") {
            return match parameter {
                "" => Err("names no parameter behind `ssm:`".to_owned()),
                parameter => Ok(Self::Parameter(parameter.to_owned())),
            };
        }
        let apps = match text.strip_prefix("file:") {
            Some(path) => {
                let read = std::fs::read_to_string(path);
                Apps::parse(&read.map_err(|error| format!("names a file that can't be read: {}", error.kind()))?)
            }
            None => Apps::parse(text),
        };
        apps.map(Self::Here).map_err(|error| format!("has faults: {error}"))
    }

    /// The apps, asked of SSM where they are a parameter.
    pub async fn read(self) -> Result<Apps, AppsRefError> {
        let name = match self {
            Self::Here(apps) => return Ok(apps),
            Self::Parameter(name) => name,
        };
        let client = Client::new(&aws::config().await);
        let value = match Box::pin(client.get_parameter().name(&name).send()).await {
            Ok(answer) => answer.parameter.and_then(|parameter| parameter.value).unwrap_or_default(),
            Err(error) => return Err(AppsRefError::Unread(name, aws::code(&error))),
        };
        Apps::parse(&value).map_err(|error| AppsRefError::Faulty(name, error))
    }
}

//! The environment of the functions: each one gets the variables that it reads, and no others.

use std::collections::BTreeMap;

use pushwake::function::config::{Name, variables_of};
use serde_json::Value;

use super::database::Database;
use super::providers::Providers;
use super::{FEEDBACK, Options, WAKES};
use crate::postgres::{HOST, Pooler, USER};
use crate::sqs::Endpoint;

/// The values of all variables.
pub(super) struct Environment {
    values: BTreeMap<&'static str, String>,
    pooler: Option<Pooler>,
    endpoint: String,
    further: Vec<(String, String)>,
}

impl Environment {
    pub(super) fn new(options: &Options, database: &Database, sqs: &Endpoint, providers: &Providers) -> Self {
        let values = BTreeMap::from(
            [
                (Name::DatabaseHost, HOST.to_owned()),
                (Name::DatabasePort, database.cluster().port().to_string()),
                (Name::DatabaseName, database.name().to_owned()),
                (Name::DatabaseUser, USER.to_owned()),
                (Name::DatabaseTls, "off".to_owned()),
                (Name::WakeQueueUrl, sqs.queue_url(WAKES)),
                (Name::FeedbackQueueUrl, sqs.queue_url(FEEDBACK)),
                (Name::Apps, Value::Object(providers.apps.clone()).to_string()),
                (Name::ProviderCa, providers.ca.display().to_string()),
            ]
            .map(|(name, value)| (name.as_str(), value)),
        );
        let (pooler, endpoint) = (options.pooler.clone(), sqs.url().to_owned());
        Self { values, pooler, endpoint, further: options.environment.clone() }
    }

    /// The variables of one function.
    pub(super) fn of(&self, function: &str) -> Vec<(String, String)> {
        let own = variables_of(function)
            .into_iter()
            .filter_map(|name| Some((name.as_str().to_owned(), self.values.get(name.as_str())?.clone())));
        // Migrate needs sessions of its own.
        let pooler = self.pooler.iter().filter(|_| function != "migrate").flat_map(|pooler| {
            let (port, switch) = (Name::DatabasePort.as_str(), Name::DatabasePooler.as_str());
            [(port.to_owned(), pooler.port().to_string()), (switch.to_owned(), "true".to_owned())]
        });
        let endpoint = ("AWS_ENDPOINT_URL_SQS".to_owned(), self.endpoint.clone());
        own.chain(pooler).chain([endpoint]).chain(self.further.iter().cloned()).collect()
    }
}

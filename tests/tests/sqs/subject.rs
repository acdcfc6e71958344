//! What a check runs against.

use std::time::Duration;

use aws_sdk_sqs::{
    Client,
    config::{BehaviorVersion, Config, Credentials, Region, retry::RetryConfig, timeout::TimeoutConfig},
    error::{ProvideErrorMetadata, SdkError},
    types::{Message, QueueAttributeName},
};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use local::sqs::Endpoint;
use tests::ministack::Ministack;
use tokio::{sync::OnceCell, task::spawn_blocking};
use uuid::Uuid;

use crate::venv;

/// An implementation of SQS, and the real client for it.
pub struct Subject {
    pub sqs: Client,
    /// Keeps the endpoint running.
    _endpoint: Option<Endpoint>,
}

impl Subject {
    /// A local endpoint of the test's own.
    pub async fn endpoint() -> Self {
        let endpoint = Endpoint::start().await.expect("a port on loopback");
        Self { sqs: client(endpoint.url()), _endpoint: Some(endpoint) }
    }

    /// The one emulator of this process, whose end the reaper sees; tests keep to queues of their own.
    pub async fn ministack() -> Self {
        static SHARED: OnceCell<Ministack> = OnceCell::const_new();
        let start = || Ministack::start(venv::python(), "http", &[("SERVICES", "sqs")]);
        let start = || async { spawn_blocking(start).await.expect("ministack starts") };
        Self { sqs: client(SHARED.get_or_init(start).await.url()), _endpoint: None }
    }

    /// A new queue with these attributes, by its URL.
    pub async fn queue(&self, attributes: &[(QueueAttributeName, &str)]) -> String {
        let create = self.sqs.create_queue().queue_name(fresh_name());
        let create = attributes.iter().fold(create, |create, (name, value)| create.attributes(name.clone(), *value));
        create.send().await.unwrap().queue_url.unwrap()
    }

    /// Sends a message, by its id.
    pub async fn send(&self, queue: &str, body: &str) -> String {
        self.sqs.send_message().queue_url(queue).message_body(body).send().await.unwrap().message_id.unwrap()
    }

    /// The next message, waiting for up to `wait` seconds.
    pub async fn receive(&self, queue: &str, wait: i32) -> Option<Message> {
        let receive = self.sqs.receive_message().queue_url(queue).wait_time_seconds(wait);
        let receive = receive.message_system_attribute_names("All".into()).message_attribute_names("All");
        receive.send().await.unwrap().messages.unwrap_or_default().pop()
    }

    /// One attribute of a queue.
    pub async fn attribute(&self, queue: &str, name: QueueAttributeName) -> Option<String> {
        let get = self.sqs.get_queue_attributes().queue_url(queue).attribute_names(name.clone());
        get.send().await.unwrap().attributes.unwrap_or_default().remove(&name)
    }

    /// Messages that are visible, in flight and delayed.
    pub async fn counts(&self, queue: &str) -> [usize; 3] {
        let names = [
            QueueAttributeName::ApproximateNumberOfMessages,
            QueueAttributeName::ApproximateNumberOfMessagesNotVisible,
            QueueAttributeName::ApproximateNumberOfMessagesDelayed,
        ];
        let get = self.sqs.get_queue_attributes().queue_url(queue).set_attribute_names(Some(names.to_vec()));
        let attributes = get.send().await.unwrap().attributes.unwrap();
        names.map(|name| attributes[&name].parse().unwrap())
    }
}

/// A queue name that no other test has.
pub fn fresh_name() -> String {
    format!("queue-{}", Uuid::new_v4().simple())
}

/// A client that tries once, with credentials of no account.
pub fn client(url: &str) -> Client {
    let http = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(http)
        .endpoint_url(url)
        .region(Region::new("eu-central-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "static"))
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::builder().operation_timeout(Duration::from_mins(1)).build())
        .build();
    Client::from_conf(config)
}

/// The code of what must have been refused.
pub fn refused<T: std::fmt::Debug, E: ProvideErrorMetadata + std::fmt::Debug, R: std::fmt::Debug>(
    result: Result<T, SdkError<E, R>>,
) -> String {
    let error = result.expect_err("a refusal");
    let error = error.as_service_error().unwrap_or_else(|| panic!("a refusal of the service, not {error:?}"));
    error.code().unwrap_or_default().to_owned()
}

//! An account of AWS, as far as the emulator has one: what a team puts there, and what its products and operators call.

use std::path::Path;
use std::thread;

use aws_sdk_lambda::primitives::Blob;
use aws_sdk_sqs::types::QueueAttributeName;
use aws_sdk_ssm::types::ParameterType;
use aws_smithy_http_client::tls::TrustStore;
use serde_json::Value;
use tests::barrier::soon;
use tests::ministack::Ministack;
use tests::sdk::{KEY, sdk_trusting};
use tests::tls::issue;
use tokio::task::spawn_blocking;

use crate::{eventually, tool};

/// A running one.
pub struct Account {
    emulator: Ministack,
    /// The file of its CA.
    pub ca: String,
    lambda: aws_sdk_lambda::Client,
    secrets: aws_sdk_secretsmanager::Client,
    sqs: aws_sdk_sqs::Client,
    ssm: aws_sdk_ssm::Client,
}

impl Account {
    /// Starts one with nothing in it, which holds every call to the policies of its caller, and is reached over TLS:
    /// the queues refuse everything else. Its CA is written into `folder`.
    pub async fn open(folder: &Path) -> Self {
        let python = tool("python");
        assert!(python.exists(), "{} is missing: run .ci/deploy-check", python.display());
        let issued = issue("127.0.0.1");
        let file = |name: &str, text: &str| {
            let file = folder.join(name);
            std::fs::write(&file, text).expect("a file in a temporary folder");
            file.display().to_string()
        };
        let ca = file("account-ca.pem", &issued.ca);
        let (certificate, key) = (file("account.pem", &issued.certificate), file("account.key", &issued.key));
        let trusted = ca.clone();
        let start = move || {
            let variables = [
                ("AUTH", "true"),
                ("AWS_ACCESS_KEY_ID", KEY.0),
                ("AWS_SECRET_ACCESS_KEY", KEY.1),
                ("USE_SSL", "1"),
                ("MINISTACK_SSL_CERT", &certificate),
                ("MINISTACK_SSL_KEY", &key),
                // The functions inherit it.
                ("SSL_CERT_FILE", &trusted),
            ];
            Ministack::start(&python, "https", &variables)
        };
        let emulator = spawn_blocking(start).await.expect("the emulator starts");
        let trust = TrustStore::empty().with_pem_certificate(issued.ca.into_bytes());
        let sdk = sdk_trusting(emulator.url(), trust);
        Self {
            ca,
            lambda: aws_sdk_lambda::Client::new(&sdk),
            secrets: aws_sdk_secretsmanager::Client::new(&sdk),
            sqs: aws_sdk_sqs::Client::new(&sdk),
            ssm: aws_sdk_ssm::Client::new(&sdk),
            emulator,
        }
    }

    /// Its `AWS_ENDPOINT_URL`.
    pub fn url(&self) -> &str {
        self.emulator.url()
    }

    /// Keeps a secret, and answers its ARN.
    pub async fn keep_secret(&self, name: &str, value: &str) -> String {
        let kept = self.secrets.create_secret().name(name).secret_string(value).send();
        soon(Box::pin(kept)).await.expect("the secret is kept").arn.expect("its ARN")
    }

    /// Sets a parameter of SSM.
    pub async fn set_parameter(&self, name: &str, value: &str) {
        let put = self.ssm.put_parameter().name(name).value(value).r#type(ParameterType::String).send();
        soon(Box::pin(put)).await.expect("the parameter is set");
    }

    /// Invokes a function's alias as its callers do, and answers what it answered.
    pub async fn invoke(&self, function: &str, event: &Value) -> Value {
        let invoke = self.lambda.invoke().function_name(function).qualifier("live");
        let sent = invoke.payload(Blob::new(event.to_string())).send();
        let answer = soon(Box::pin(sent)).await.expect("the alias is invoked");
        let payload = answer.payload.map(Blob::into_inner).unwrap_or_default();
        let text = String::from_utf8_lossy(&payload);
        assert!(answer.function_error.is_none(), "{function} failed: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The version behind a function's alias.
    pub async fn version(&self, function: &str) -> String {
        let asked = self.lambda.get_alias().function_name(function).name("live").send();
        soon(Box::pin(asked)).await.expect("the alias").function_version.expect("its version")
    }

    /// Messages of a queue, whatever their state.
    pub async fn waiting(&self, queue: &str) -> u32 {
        let counts = [
            QueueAttributeName::ApproximateNumberOfMessages,
            QueueAttributeName::ApproximateNumberOfMessagesNotVisible,
            QueueAttributeName::ApproximateNumberOfMessagesDelayed,
        ];
        let asked = self.sqs.get_queue_attributes().queue_url(queue).set_attribute_names(Some(counts.into())).send();
        let counted = soon(Box::pin(asked)).await.expect("the queue").attributes.expect("its attributes");
        counted.values().map(|count| count.parse::<u32>().expect("a number")).sum()
    }

    /// Deletes what waits in a queue.
    pub async fn purge(&self, queue: &str) {
        soon(Box::pin(self.sqs.purge_queue().queue_url(queue).send())).await.expect("the queue is purged");
    }

    /// Has wakes start drains, or lets them wait.
    pub async fn take_wakes(&self, drain: &str, on: bool) {
        let listed = soon(Box::pin(self.lambda.list_event_source_mappings().function_name(drain).send()));
        let mappings = listed.await.expect("the mappings").event_source_mappings.expect("a list");
        let [mapping] = &mappings[..] else { panic!("drain has one event source: {mappings:?}") };
        let id = mapping.uuid.clone().expect("its id");
        let change = self.lambda.update_event_source_mapping().uuid(&id).enabled(on).send();
        soon(Box::pin(change)).await.expect("the mapping changes");
        let state = if on { "Enabled" } else { "Disabled" };
        eventually("the event source changes", async || {
            let asked = soon(Box::pin(self.lambda.get_event_source_mapping().uuid(&id).send())).await;
            asked.expect("the mapping").state.as_deref() == Some(state)
        })
        .await;
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("The end of the emulator's log:\n{}", self.emulator.log());
        }
    }
}

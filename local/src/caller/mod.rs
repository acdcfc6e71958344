//! Invokes the functions of a running stack through Lambda's Invoke API, as any AWS SDK does.

mod error;

use std::time::Duration;

use aws_sdk_lambda::Client;
use aws_sdk_lambda::config::retry::RetryConfig;
use aws_sdk_lambda::config::timeout::TimeoutConfig;
use aws_sdk_lambda::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_lambda::primitives::Blob;
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use http::Uri;
use pushwake::limits::FUNCTION_TIMEOUT;

pub use error::CallError;

use crate::sqs::REGION;
use crate::up;

/// Attempts at one invocation that is throttled, gets no answer, or finds the database away.
pub const ATTEMPTS: u32 = 6;
/// The pause before the second attempt; it doubles.
const PAUSE: Duration = Duration::from_millis(100);

/// Where the stack is.
#[derive(Debug, Clone, clap::Args)]
#[group(skip)]
pub struct Options {
    /// Where a stack is: what `pushwake up` prints, or Lambda's own endpoint, with the credentials of the environment
    /// (default: `$PUSHWAKE_ENDPOINT`, or <http://127.0.0.1:9310>).
    #[arg(long, value_name = "URL", value_parser = endpoint)]
    endpoint: Option<String>,
}

fn endpoint(text: &str) -> Result<String, String> {
    let uri: Option<Uri> = text.parse().ok();
    match uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?))) {
        Some(("http" | "https", _)) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("expected a URL, such as http://127.0.0.1:9310".to_owned()),
    }
}

/// Invokes one function.
#[derive(Debug, Clone)]
pub struct Caller {
    client: Client,
    endpoint: String,
    function: String,
}

impl Caller {
    /// One of `function` at the endpoint that was chosen.
    pub fn new(options: &Options, function: &str) -> Result<Self, CallError> {
        let endpoint = match (&options.endpoint, variable("PUSHWAKE_ENDPOINT")) {
            (Some(chosen), _) => chosen.clone(),
            (None, Some(named)) => {
                endpoint(&named).map_err(|reason| CallError::Usage(format!("PUSHWAKE_ENDPOINT: {reason}")))?
            }
            (None, None) => format!("http://127.0.0.1:{}", up::PORT),
        };
        let client = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
        let times = TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(5))
            .operation_attempt_timeout(FUNCTION_TIMEOUT + Duration::from_secs(15))
            .build();
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(variable("AWS_REGION").unwrap_or_else(|| REGION.to_owned())))
            .credentials_provider(credentials())
            .endpoint_url(&endpoint)
            .http_client(client)
            .timeout_config(times)
            // what is tried again, and how often, is decided here
            .retry_config(RetryConfig::disabled())
            .build();
        Ok(Self { client: Client::from_conf(config), endpoint, function: function.to_owned() })
    }

    /// Invokes the function and waits for its answer. Trying again does no harm: enqueue answers `duplicate` for what
    /// an attempt without an answer has queued, and a look or a forget may be repeated.
    pub async fn invoke(&self, payload: &str) -> Result<String, CallError> {
        let mut pause = PAUSE;
        for _ in 1..ATTEMPTS {
            match self.invoke_once(payload).await {
                Err(error) if error.is_worth_another_try() => {
                    tokio::time::sleep(pause.mul_f64(rand::random_range(0.5..1.0))).await;
                    pause *= 2;
                }
                answered => return answered,
            }
        }
        self.invoke_once(payload).await
    }

    async fn invoke_once(&self, payload: &str) -> Result<String, CallError> {
        let invoke = self.client.invoke().function_name(&self.function).payload(Blob::new(payload));
        // Boxed: the SDK's futures are deeper than the compiler goes inside another.
        let answer = Box::pin(invoke.send()).await.map_err(|error| CallError::of(&error, &self.endpoint))?;
        let said = answer.payload.map(Blob::into_inner).unwrap_or_default();
        let said = String::from_utf8(said).map_err(|_| CallError::Unreadable)?;
        match answer.function_error {
            Some(_) => Err(CallError::of_function(&said)),
            None => Ok(said),
        }
    }
}

/// Those of the environment; a local stack does not look at them.
fn credentials() -> Credentials {
    match (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")) {
        (Some(id), Some(key)) => Credentials::new(id, key, variable("AWS_SESSION_TOKEN"), None, "environment"),
        _ => Credentials::new("local", "local", None, None, "local"),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::endpoint;

    #[test]
    fn an_endpoint_is_a_url() {
        assert_eq!(endpoint("http://127.0.0.1:9310/").as_deref(), Ok("http://127.0.0.1:9310"));
        for wrong in ["", "127.0.0.1:9310", "9310", "ftp://127.0.0.1", "http://"] {
            assert!(endpoint(wrong).is_err(), "{wrong}");
        }
    }
}

//! Posts wakes.

use std::time::Duration;

use aws_config::SdkConfig;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::retry::RetryConfig;
use aws_sdk_sqs::config::timeout::TimeoutConfig;

use super::Wake;
use crate::function::aws;
use crate::limits;

/// One attempt: a second one still fits behind one that got no answer.
const ATTEMPT: Duration = Duration::from_millis(900);
/// Attempts at a queue that answers with errors.
const ATTEMPTS: u32 = 3;
/// Pause before the second attempt, on average half of it.
const BACKOFF: Duration = Duration::from_millis(50);
/// The longest pause.
const LONGEST_BACKOFF: Duration = Duration::from_millis(200);

const _: () =
    assert!(2 * ATTEMPT.as_millis() + LONGEST_BACKOFF.as_millis() <= limits::WAKE_POST.as_millis(), "two attempts fit");

/// The queue of the wakes.
#[derive(Clone, Debug)]
pub struct WakeQueue {
    client: Client,
    url: String,
}

/// A wake that was not posted. Nothing is lost: schedule repairs it within its period.
#[derive(Debug, thiserror::Error)]
#[error("the wake could not be posted: {0}; check WAKE_QUEUE_URL and the function's policy and network")]
pub struct WakeError(String);

/// What became of a wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// SQS has it.
    Sent,
    /// Its lineage reached [`HOP_CAP`](limits::HOP_CAP), so it was not posted.
    Capped,
}

impl WakeQueue {
    /// The queue at `url`, with a client configured by the environment.
    pub async fn new(url: impl Into<String>) -> Self {
        Self::with_config(&aws::config().await, url)
    }

    /// The queue at `url`, with credentials, region and endpoint of `config`; its time-outs and retries are ours.
    pub fn with_config(config: &SdkConfig, url: impl Into<String>) -> Self {
        let times = TimeoutConfig::builder()
            .connect_timeout(ATTEMPT)
            .operation_attempt_timeout(ATTEMPT)
            .operation_timeout(limits::WAKE_POST)
            .build();
        let retries = RetryConfig::standard()
            .with_max_attempts(ATTEMPTS)
            .with_initial_backoff(BACKOFF)
            .with_max_backoff(LONGEST_BACKOFF);
        let config = aws_sdk_sqs::config::Builder::from(config).timeout_config(times).retry_config(retries).build();
        Self { client: Client::from_conf(config), url: url.into() }
    }

    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Posts one wake, to be seen after `delay` (whole seconds, rounded up; at most
    /// [`WAKE_DELAY`](limits::WAKE_DELAY)). Ends within [`WAKE_POST`](limits::WAKE_POST), with all attempts.
    pub async fn post(&self, wake: Wake, delay: Duration) -> Result<Posted, WakeError> {
        if wake.hop > limits::HOP_CAP {
            return Ok(Posted::Capped);
        }
        let delay = seconds(delay);
        let send = self
            .client
            .send_message()
            .queue_url(&self.url)
            .message_body(wake.delayed_body(delay.unsigned_abs()))
            .delay_seconds(delay)
            .send();
        // The client's own time-outs begin after the credentials and the endpoint are resolved.
        match tokio::time::timeout(limits::WAKE_POST, Box::pin(send)).await {
            Ok(Ok(_)) => Ok(Posted::Sent),
            Ok(Err(error)) => Err(WakeError(aws::code(&error))),
            Err(_) => Err(WakeError("no answer in time".to_owned())),
        }
    }
}

/// Rounded up, since a wake that comes before its row is due finds nothing.
fn seconds(delay: Duration) -> i32 {
    let whole = delay.min(limits::WAKE_DELAY).as_millis().div_ceil(1000);
    i32::try_from(whole).expect("at most WAKE_DELAY")
}

#[cfg(test)]
mod tests;

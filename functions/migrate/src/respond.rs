//! PUTs an answer to the address that `CloudFormation` gave.

use std::time::{Duration, Instant};

use aws_smithy_http_client::Connector;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;

/// One attempt.
const ATTEMPT: Duration = Duration::from_secs(3);
/// Pause before the next.
const PAUSE: Duration = Duration::from_millis(500);

/// An answer that was not taken. Without the address, which is a credential.
#[derive(Debug, thiserror::Error)]
#[error("the deploy could not be answered: {0}; it will wait until its own time-out")]
pub struct RespondError(String);

/// PUTs `answer` to `url`, several times if need be, for at most `budget`.
pub async fn respond(url: &str, answer: &str, budget: Duration) -> Result<(), RespondError> {
    let start = Instant::now();
    let connector = Connector::builder().tls_provider(Provider::Rustls(CryptoMode::Ring)).build();
    loop {
        let attempt = put(&connector, url, answer);
        let left = budget.saturating_sub(start.elapsed()).min(ATTEMPT);
        let failed = match tokio::time::timeout(left, attempt).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error,
            Err(_) => "no answer in time".to_owned(),
        };
        if start.elapsed() + PAUSE >= budget {
            return Err(RespondError(failed));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn put(connector: &Connector, url: &str, answer: &str) -> Result<(), String> {
    // No content type: a presigned address is signed without one.
    let mut request = HttpRequest::new(SdkBody::from(answer));
    request.set_method("PUT").map_err(|_| "PUT is no method")?;
    request.set_uri(url).map_err(|_| "its ResponseURL is no address")?;
    match connector.call(request).await {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => Err(format!("its ResponseURL answered {}", response.status().as_u16())),
        Err(error) if error.is_timeout() => Err("no connection in time".to_owned()),
        Err(_) => Err("no connection".to_owned()),
    }
}

//! The AWS SDK, as far as its clients share it.

use std::time::Duration;

use aws_config::environment::{EnvironmentVariableCredentialsProvider, EnvironmentVariableRegionProvider};
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, ConfigLoader, SdkConfig};
use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

/// Credentials and region come from the environment alone, where Lambda puts them: the default chains would look for
/// profiles and a metadata service that are not there. So does `AWS_ENDPOINT_URL_<service>`.
pub async fn config() -> SdkConfig {
    let loader = loader()
        .credentials_provider(EnvironmentVariableCredentialsProvider::new())
        .region(EnvironmentVariableRegionProvider::new());
    // Boxed, as is every request: the SDK's futures are deeper than the compiler goes inside another.
    Box::pin(loader.load()).await
}

/// A client over rustls on ring, and times that leave the invocation that asks first enough of its own.
pub(crate) fn loader() -> ConfigLoader {
    let client = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    let times = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(2))
        .operation_timeout(Duration::from_secs(6))
        .build();
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(client)
        .timeout_config(times)
        .retry_config(RetryConfig::standard().with_max_attempts(3))
}

/// What went wrong, in a word: the service's code, else the kind of failure. The whole error holds the request.
pub fn code<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> String {
    match error {
        SdkError::TimeoutError(_) => "no answer in time".to_owned(),
        SdkError::DispatchFailure(failure) if failure.is_timeout() => "no connection in time".to_owned(),
        SdkError::DispatchFailure(failure) if failure.is_io() => "no connection".to_owned(),
        SdkError::DispatchFailure(_) => "the request could not be sent".to_owned(),
        SdkError::ConstructionFailure(_) => "the request could not be built".to_owned(),
        SdkError::ResponseError(_) => "an answer that can't be read".to_owned(),
        error => error.code().unwrap_or("an error without a code").to_owned(),
    }
}

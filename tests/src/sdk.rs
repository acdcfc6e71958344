//! The AWS SDK against a local endpoint.

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_sqs::config::{Credentials, SharedCredentialsProvider};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

/// What the functions read from their environment, for the endpoint at `url`.
pub fn sdk(url: &str) -> SdkConfig {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(Credentials::new("id", "key", None, None, "test")))
        .region(Region::new(local::sqs::REGION))
        .endpoint_url(url)
        .http_client(Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https())
        .build()
}

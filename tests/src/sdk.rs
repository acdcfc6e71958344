//! The AWS SDK against a local endpoint.

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_sqs::config::{Credentials, SharedCredentialsProvider};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};

/// Key id and secret of the caller.
pub const KEY: (&str, &str) = ("id", "key");

/// What the functions read from their environment, for the endpoint at `url`.
pub fn sdk(url: &str) -> SdkConfig {
    sdk_trusting(url, TrustStore::default())
}

/// As [`sdk`], for an endpoint whose certificate is of one of these CAs.
pub fn sdk_trusting(url: &str, trust: TrustStore) -> SdkConfig {
    let context = TlsContext::builder().with_trust_store(trust).build().expect("CAs in PEM");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(Credentials::new(KEY.0, KEY.1, None, None, "test")))
        .region(Region::new(local::sqs::REGION))
        .endpoint_url(url)
        .http_client(Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).tls_context(context).build_https())
        .build()
}

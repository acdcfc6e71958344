//! The clients of AWS. Credentials, region and `AWS_ENDPOINT_URL` come from the environment, as in a Lambda.

use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

pub async fn config() -> SdkConfig {
    // With the SDK's default features, `aws_config::load_from_env()` is all.
    let http = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    Box::pin(aws_config::defaults(BehaviorVersion::latest()).http_client(http).load()).await
}

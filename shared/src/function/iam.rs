//! Tokens of IAM in the place of a database's password.
//!
//! RDS takes a presigned address of the action `connect` as the password of a role that has `rds_iam`: signed with the
//! function's own credentials, on this machine, and valid for 15 minutes. It opens a connection; one that is open stays.

use std::time::{Duration, SystemTime};

use aws_config::environment::{EnvironmentVariableCredentialsProvider, EnvironmentVariableRegionProvider};
use aws_config::meta::region::ProvideRegion;
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SignatureLocation, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;

use super::config::Database;
use super::secret::{Secret, SecretError};

/// How long RDS takes a token.
const VALID: Duration = Duration::from_mins(15);
/// How long we do: an invocation and a clock that is off fit between.
pub(super) const FRESH: Duration = Duration::from_mins(10);

/// A token for a new connection, by the credentials of this moment: they may have been replaced since the last one.
pub(super) async fn token(database: &Database) -> Result<Secret, SecretError> {
    let region = EnvironmentVariableRegionProvider::new().region().await;
    let region = region.ok_or(SecretError::Token("AWS_REGION is not set"))?;
    let credentials = EnvironmentVariableCredentialsProvider::new().provide_credentials().await;
    // The error may quote what it found.
    let credentials =
        credentials.map_err(|_| SecretError::Token("there are no credentials of AWS in the environment"))?;
    sign_token(database, region.as_ref(), credentials, SystemTime::now())
}

/// The token that `credentials` sign at `at`.
pub fn sign_token(
    database: &Database,
    region: &str,
    credentials: Credentials,
    at: SystemTime,
) -> Result<Secret, SecretError> {
    let place = format!("{}:{}/?Action=connect&DBUser={}", database.host, database.port, encoded(&database.user));
    let refused = || SecretError::Token("DATABASE_HOST and DATABASE_USER make no address");
    let mut request = http::Request::get(format!("https://{place}")).body(()).map_err(|_| refused())?;
    let mut settings = SigningSettings::default();
    settings.expires_in = Some(VALID);
    settings.signature_location = SignatureLocation::QueryParams;
    let identity = credentials.into();
    let parameters = SigningParams::builder().identity(&identity).region(region).name("rds-db").time(at);
    let parameters = parameters.settings(settings).build().map_err(|_| refused())?.into();
    let uri = request.uri().to_string();
    let signable = SignableRequest::new("GET", &uri, std::iter::empty(), SignableBody::Bytes(&[]));
    let signed = signable.and_then(|signable| sign(signable, &parameters)).map_err(|_| refused())?;
    signed.into_parts().0.apply_to_request_http1x(&mut request);
    Ok(Secret::new(request.uri().to_string().trim_start_matches("https://").to_owned()))
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::function::config::Tls;

    const KEY: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    const BEFORE: &str = "db.abc123.eu-central-1.rds.amazonaws.com:5432/?Action=connect&DBUser=pushwake_app";

    fn database() -> Database {
        Database {
            host: "db.abc123.eu-central-1.rds.amazonaws.com".to_owned(),
            port: 5432,
            name: "pushwake".to_owned(),
            user: "pushwake_app".to_owned(),
            password: None,
            iam: true,
            tls: Tls::VerifyFull,
            ca: None,
            pooler: false,
            application: "drain",
        }
    }

    /// A token's parts, in any order: botocore and the SDK of Rust put the session's token elsewhere.
    fn parts(token: &str) -> Vec<&str> {
        let mut parts: Vec<&str> = token.split('&').collect();
        parts.sort_unstable();
        parts
    }

    #[test]
    fn a_token_is_the_one_that_botocore_signs() {
        let at: SystemTime = datetime!(2026-12-01 04:30 UTC).into();
        // `generate_db_auth_token` of botocore 1.44.8, at 2026-12-01 04:30.
        let vectors = [
            ("AKIDEXAMPLE", None, "", "85586021544b2c2f9df8b970c20397042424a41f4e8bbdd85002ab1b590744b0"),
            (
                "ASIDEXAMPLE",
                Some("IQoJb3JpZ2luX2VjE+/=canary=="),
                "&X-Amz-Security-Token=IQoJb3JpZ2luX2VjE%2B%2F%3Dcanary%3D%3D",
                "3b436781882022e21c88c353df9e7c4fb03c0ef75857889d3647540395049a1a",
            ),
        ];
        for (id, session, said, signature) in vectors {
            let credentials = Credentials::new(id, KEY, session.map(String::from), None, "test");
            let token = sign_token(&database(), "eu-central-1", credentials, at).expect("a token");
            let expected = format!(
                "{BEFORE}&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={id}%2F20261201%2Feu-central-1%2Frds-db\
                 %2Faws4_request&X-Amz-Date=20261201T043000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host{said}\
                 &X-Amz-Signature={signature}"
            );
            assert_eq!(parts(token.expose()), parts(&expected));
            assert!(token.expose().starts_with(BEFORE));
        }
    }
}

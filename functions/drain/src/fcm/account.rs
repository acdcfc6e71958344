//! The service account: who we are to Google.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// What an access token is to be good for.
const SCOPE: &str = "https://www.googleapis.com/auth/firebase.messaging";
/// Google takes no assertion that is valid for longer, counted from its `iat`.
const LIFE: i64 = 3600;
/// A database's clock may be a little ahead of Google's, which takes no assertion from the future.
const BACKDATED: i64 = 30;

/// The key is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its key is no service account's key; store the JSON file as Google issued it")]
pub struct KeyError;

/// A service account that can sign.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) email: String,
    /// Where Google says that its access tokens are issued.
    pub(super) token_uri: String,
    header: Header,
    key: EncodingKey,
}

/// The file, as Google issues it.
#[derive(Deserialize)]
struct KeyFile {
    client_email: String,
    private_key: String,
    private_key_id: Option<String>,
    token_uri: String,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    scope: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

impl Account {
    /// Reads the JSON of a key, and signs once to see that it can.
    pub(super) fn read(json: &str) -> Result<Self, KeyError> {
        // The parser's own words could repeat a part of the key.
        let file: KeyFile = serde_json::from_str(json).map_err(|_| KeyError)?;
        let key = EncodingKey::from_rsa_pem(file.private_key.as_bytes()).map_err(|_| KeyError)?;
        let header = Header { kid: file.private_key_id, ..Header::new(Algorithm::RS256) };
        let account = Self { email: file.client_email, token_uri: file.token_uri, header, key };
        account.assertion("", OffsetDateTime::UNIX_EPOCH)?;
        Ok(account)
    }

    /// A signed assertion for `audience`, the token endpoint.
    pub(super) fn assertion(&self, audience: &str, now: OffsetDateTime) -> Result<String, KeyError> {
        let iat = now.unix_timestamp() - BACKDATED;
        let claims = Claims { iss: &self.email, scope: SCOPE, aud: audience, iat, exp: iat + LIFE };
        jsonwebtoken::encode(&self.header, &claims, &self.key).map_err(|_| KeyError)
    }
}

#[cfg(test)]
mod tests;

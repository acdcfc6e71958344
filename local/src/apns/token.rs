//! The provider token, checked as Apple checks it.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;

use super::check::Refusal;

/// How long a token is valid from its `iat`.
const LIFE: Duration = Duration::from_hours(1);
/// How far apart the `iat`s of two tokens of a team have to be.
const APART: Duration = Duration::from_mins(20);

/// The one team whose tokens are accepted.
pub(super) struct Team {
    id: String,
    key_id: String,
    key: DecodingKey,
    /// Verified tokens and their `iat`: a signature costs more than all the rest of a request.
    seen: HashMap<String, u64>,
    /// Refuses a second token too soon after the first.
    pub(super) guard_updates: bool,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    iat: u64,
}

const INVALID: Refusal = Refusal(403, "InvalidProviderToken");

impl Team {
    pub(super) fn new(id: &str, key_id: &str, public_pem: &str) -> Result<Self, jsonwebtoken::errors::Error> {
        Ok(Self {
            id: id.to_owned(),
            key_id: key_id.to_owned(),
            key: DecodingKey::from_ec_pem(public_pem.as_bytes())?,
            seen: HashMap::new(),
            guard_updates: true,
        })
    }

    /// Checks the value of an `authorization` header.
    pub(super) fn check(&mut self, authorization: &str) -> Result<(), Refusal> {
        let jwt = authorization.strip_prefix("bearer ").ok_or(INVALID)?;
        let iat = match self.seen.get(jwt) {
            Some(iat) => *iat,
            None => self.verify(jwt)?,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        if now > iat + LIFE.as_secs() {
            return Err(Refusal(403, "ExpiredProviderToken"));
        }
        if iat > now + APART.as_secs() {
            return Err(INVALID);
        }
        self.seen.insert(jwt.to_owned(), iat);
        Ok(())
    }

    /// Tokens that were accepted so far.
    pub(super) fn distinct(&self) -> usize {
        self.seen.len()
    }

    fn verify(&self, jwt: &str) -> Result<u64, Refusal> {
        let mut validation = Validation::new(Algorithm::ES256);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        let token = jsonwebtoken::decode::<Claims>(jwt, &self.key, &validation).map_err(|_| INVALID)?;
        if token.header.kid.as_deref() != Some(&self.key_id) || token.claims.iss != self.id {
            return Err(INVALID);
        }
        let iat = token.claims.iat;
        if self.guard_updates && self.seen.values().any(|seen| seen.abs_diff(iat) < APART.as_secs()) {
            return Err(Refusal(429, "TooManyProviderTokenUpdates"));
        }
        Ok(iat)
    }
}

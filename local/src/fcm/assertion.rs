//! The assertion of a service account, checked as Google checks it.

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;

/// Seconds an assertion may be valid, from its `iat`.
const LIFE: u64 = 3600;
/// Seconds an `iat` may lie ahead.
const SKEW: u64 = 60;
/// What Pushwake may ask for.
const SCOPE: &str = "https://www.googleapis.com/auth/firebase.messaging";

#[derive(Deserialize)]
struct Claims {
    iss: String,
    scope: String,
    aud: String,
    iat: u64,
    exp: u64,
}

/// The one account whose assertions are taken.
pub(super) struct Account {
    pub(super) email: String,
    pub(super) key_id: String,
    pub(super) key: DecodingKey,
}

impl Account {
    /// Checks an assertion that was sent to `url`. The error is Google's.
    pub(super) fn check(&self, assertion: &str, url: &str) -> Result<(), &'static str> {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.required_spec_claims.clear();
        (validation.validate_exp, validation.validate_aud) = (false, false);
        let token = jsonwebtoken::decode::<Claims>(assertion, &self.key, &validation).map_err(|_| "invalid_grant")?;
        let claims = token.claims;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let in_time = claims.iat <= now + SKEW && claims.exp > now && claims.exp.saturating_sub(claims.iat) <= LIFE;
        if claims.scope != SCOPE {
            return Err("invalid_scope");
        }
        let ours = claims.iss == self.email && token.header.kid.as_deref() == Some(&self.key_id);
        if ours && claims.aud == url && in_time { Ok(()) } else { Err("invalid_grant") }
    }
}

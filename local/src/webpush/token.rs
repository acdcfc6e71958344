//! The VAPID token, checked as the strictest of the big services check it.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;

use super::check::Refusal;

/// How far ahead a token may expire.
const LONGEST: Duration = Duration::from_hours(24);

/// The tokens of everyone who pushes.
#[derive(Default)]
pub(super) struct Tokens {
    /// Verified ones, with their keys: a signature costs more than all the rest of a request.
    seen: HashMap<(String, String), Claims>,
}

#[derive(Clone, Deserialize)]
struct Claims {
    aud: String,
    exp: u64,
    sub: String,
}

const INVALID: Refusal = Refusal(403, "BadJwtToken");

impl Tokens {
    /// Checks the value of an `authorization` header against the service's origin and the key that the browser
    /// subscribed with.
    pub(super) fn check(&mut self, value: Option<&str>, origin: &str, subscribed_with: &str) -> Result<(), Refusal> {
        let parts = value.and_then(|value| value.strip_prefix("vapid t=")?.split_once(", k="));
        let (jwt, key) = parts.ok_or(Refusal(401, "MissingVapid"))?;
        let id = (jwt.to_owned(), key.to_owned());
        let claims = match self.seen.get(&id) {
            Some(claims) => claims.clone(),
            None => verify(jwt, key)?,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let expires_in = claims.exp.checked_sub(now).ok_or(INVALID)?;
        let contact = claims.sub.starts_with("mailto:") || claims.sub.starts_with("https://");
        if claims.aud != origin || expires_in > LONGEST.as_secs() || !contact {
            return Err(INVALID);
        }
        self.seen.insert(id, claims);
        if key == subscribed_with { Ok(()) } else { Err(Refusal(403, "VapidPkHashMismatch")) }
    }

    /// Tokens that were accepted so far.
    pub(super) fn distinct(&self) -> usize {
        self.seen.len()
    }
}

fn verify(jwt: &str, key: &str) -> Result<Claims, Refusal> {
    let point = URL_SAFE_NO_PAD.decode(key).map_err(|_| INVALID)?;
    let (Some(x), Some(y), 65) = (point.get(1..33), point.get(33..), point.len()) else { return Err(INVALID) };
    let key = DecodingKey::from_ec_components(&URL_SAFE_NO_PAD.encode(x), &URL_SAFE_NO_PAD.encode(y));
    let mut validation = Validation::new(Algorithm::ES256);
    validation.required_spec_claims.clear();
    (validation.validate_exp, validation.validate_aud) = (false, false);
    let token = jsonwebtoken::decode(jwt, &key.map_err(|_| INVALID)?, &validation).map_err(|_| INVALID)?;
    Ok(token.claims)
}

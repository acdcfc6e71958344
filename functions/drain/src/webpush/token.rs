//! The VAPID token (RFC 8292): who pushes, signed for one push service.
//!
//! A token is good for one origin until it expires, so each instance keeps one for each push service. Services don't
//! count them, so instances need not agree.

use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderValue;
use p256::SecretKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use pushwake::app::WebPush;
use serde::Serialize;
use time::OffsetDateTime;

/// How long a token is good for, in seconds. Services take up to 24 h; half of it leaves room for their clocks.
const LIFE: i64 = 12 * 3600;
/// A token this near its end, in seconds, is replaced: whoever checks it may be ahead of the database.
const MARGIN: i64 = 3600;

/// The key is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It does not parse.
    #[error("its key is no P-256 private key; store 32 bytes in base64url, or PEM")]
    Unreadable,
    /// It is another pair's.
    #[error("its key does not belong to its public_key; browsers that subscribed with the one refuse the other")]
    OtherPair,
}

/// Signs for one app.
pub(super) struct TokenSource {
    key: SigningKey,
    public_key: String,
    subject: String,
}

/// One signed token.
#[derive(Debug)]
pub(super) struct Token {
    expires: i64,
    /// The value of `authorization`, marked as sensitive.
    pub(super) authorization: HeaderValue,
    accepted: AtomicBool,
}

/// The claims, in the order of RFC 8292's example.
#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    sub: &'a str,
}

impl TokenSource {
    /// `key` is what VAPID tools give out (32 bytes in base64url), or PEM.
    pub(super) fn new(app: &WebPush, key: &str) -> Result<Self, KeyError> {
        let secret = if key.contains("-----BEGIN") {
            SecretKey::from_pem(key.trim()).map_err(|_| KeyError::Unreadable)?
        } else {
            let bytes = URL_SAFE_NO_PAD.decode(key.trim().trim_end_matches('='));
            SecretKey::from_slice(&bytes.map_err(|_| KeyError::Unreadable)?).map_err(|_| KeyError::Unreadable)?
        };
        if URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes()) != app.public_key {
            return Err(KeyError::OtherPair);
        }
        Ok(Self { key: secret.into(), public_key: app.public_key.clone(), subject: app.subject.clone() })
    }

    /// A token for one push service.
    pub(super) fn sign(&self, origin: &str, now: OffsetDateTime) -> Token {
        let expires = now.unix_timestamp() + LIFE;
        let claims = Claims { aud: origin, exp: expires, sub: &self.subject };
        let claims = serde_json::to_vec(&claims).expect("strings and a number serialise");
        let [header, claims] =
            [&br#"{"typ":"JWT","alg":"ES256"}"#[..], &claims].map(|part| URL_SAFE_NO_PAD.encode(part));
        let signed = format!("{header}.{claims}");
        let signature: Signature = self.key.sign(signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        let authorization = format!("vapid t={signed}.{signature}, k={}", self.public_key);
        let mut authorization = HeaderValue::try_from(authorization).expect("base64url is visible ASCII");
        authorization.set_sensitive(true);
        Token { expires, authorization, accepted: AtomicBool::new(false) }
    }
}

impl Token {
    /// Whether it can still be sent with. A clock that stepped back leaves one that would be good for too long.
    pub(super) fn is_good(&self, now: OffsetDateTime) -> bool {
        (MARGIN..=LIFE + MARGIN).contains(&(self.expires - now.unix_timestamp()))
    }

    /// The service has taken a push with it.
    pub(super) fn accept(&self) {
        self.accepted.store(true, Ordering::Relaxed);
    }

    /// Whether the service has ever taken a push with it: then a refusal is of the one subscription.
    pub(super) fn was_accepted(&self) -> bool {
        self.accepted.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
pub(super) mod tests;

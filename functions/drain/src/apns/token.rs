//! The provider token, the same bytes in every instance.
//!
//! Apple counts new tokens per team and refuses too many, so twelve instances must not make twelve. They share no
//! state; they share the arithmetic: `iat` is the database's time floored to a 30-minute grid, and the signature is
//! deterministic (RFC 6979). A token is valid for an hour from `iat`, so one from the grid is never near its end.
//!
//! Whatever the clock or the answers say, the `iat`s of two tokens of one instance are at least 20 minutes apart.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::HeaderValue;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

/// The grid of `iat`, in seconds.
const GRID: i64 = 30 * 60;
/// The grid of a token that replaces one which Apple called too old although it is the current one: its clock is
/// ahead of the database's.
const FINE_GRID: i64 = 10 * 60;
/// The least time between two tokens.
const APART: i64 = 20 * 60;
/// A token older than this is replaced even while updates are held back: it is about to die.
const OLDEST: i64 = 50 * 60;

/// The key is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its key is no EC P-256 private key in PEM (PKCS#8); store the .p8 file as Apple issued it")]
pub struct KeyError;

/// One signed token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    iat: i64,
    /// The value of `authorization`, marked as sensitive.
    pub(super) bearer: HeaderValue,
}

/// The tokens of all teams and keys.
#[derive(Debug, Default)]
pub struct Tokens(HashMap<(String, String, [u8; 32]), Arc<TokenSource>>);

impl Tokens {
    /// The source for a team's key; apps that share both share it.
    pub(super) fn of(&mut self, team: &str, key_id: &str, pem: &str) -> Result<Arc<TokenSource>, KeyError> {
        let id = (team.to_owned(), key_id.to_owned(), Sha256::digest(pem).into());
        if let Some(source) = self.0.get(&id) {
            return Ok(source.clone());
        }
        let source = Arc::new(TokenSource::new(team, key_id, pem)?);
        self.0.insert(id, source.clone());
        Ok(source)
    }
}

/// Signs for one team with one key.
#[derive(Debug)]
pub(super) struct TokenSource {
    team: String,
    header: Header,
    key: EncodingKey,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    current: Option<Token>,
    held_until: Option<i64>,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    iat: i64,
}

impl TokenSource {
    fn new(team: &str, key_id: &str, pem: &str) -> Result<Self, KeyError> {
        let key = EncodingKey::from_ec_pem(pem.as_bytes()).map_err(|_| KeyError)?;
        let header = Header { kid: Some(key_id.to_owned()), ..Header::new(Algorithm::ES256) };
        let source = Self { team: team.to_owned(), header, key, state: Mutex::default() };
        // A P-384 key parses, and fails here.
        source.sign(0)?;
        Ok(source)
    }

    /// The token to send with.
    pub(super) fn current(&self, now: OffsetDateTime) -> Result<Token, KeyError> {
        let now = now.unix_timestamp();
        let mut state = self.lock();
        if let Some(token) = &state.current
            && state.keeps(token, now)
        {
            return Ok(token.clone());
        }
        self.renew(&mut state, floor(now, GRID))
    }

    /// A newer token than `used`, which Apple called too old; none if it would come too soon after it.
    pub(super) fn refresh(&self, used: &Token, now: OffsetDateTime) -> Option<Token> {
        let now = now.unix_timestamp();
        let mut state = self.lock();
        // Another send was faster.
        if let Some(current) = state.current.as_ref().filter(|current| current.iat > used.iat) {
            return Some(current.clone());
        }
        let iat = [GRID, FINE_GRID].map(|grid| floor(now, grid)).into_iter().find(|iat| iat - used.iat >= APART)?;
        if state.is_held(now) { None } else { self.renew(&mut state, iat).ok() }
    }

    /// Apple saw too many: no new one for as long as two tokens have to be apart.
    pub(super) fn hold(&self, now: OffsetDateTime) {
        self.lock().held_until = Some(now.unix_timestamp() + APART);
    }

    fn renew(&self, state: &mut State, iat: i64) -> Result<Token, KeyError> {
        let token = self.sign(iat)?;
        state.current = Some(token.clone());
        Ok(token)
    }

    fn sign(&self, iat: i64) -> Result<Token, KeyError> {
        let claims = Claims { iss: &self.team, iat };
        let jwt = jsonwebtoken::encode(&self.header, &claims, &self.key).map_err(|_| KeyError)?;
        let mut bearer = HeaderValue::try_from(format!("bearer {jwt}")).map_err(|_| KeyError)?;
        bearer.set_sensitive(true);
        Ok(Token { iat, bearer })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether the grid's next token would come too soon. A clock that stepped back over the grid makes none either.
    fn keeps(&self, token: &Token, now: i64) -> bool {
        let age = (now - token.iat).abs();
        age < APART || (floor(now, GRID) - token.iat).abs() < APART || (self.is_held(now) && age < OLDEST)
    }

    fn is_held(&self, now: i64) -> bool {
        self.held_until.is_some_and(|until| now < until)
    }
}

fn floor(seconds: i64, grid: i64) -> i64 {
    seconds - seconds.rem_euclid(grid)
}

#[cfg(test)]
mod tests;

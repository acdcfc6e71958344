//! Access tokens: kept until shortly before their end, and replaced once for all who send.
//!
//! Everyone who needs a new token waits for the same request ([`Minting`]): whoever of them is polled drives it, and
//! none of them is needed for it. Its failure is everyone's too, and is kept for a moment, so that a claim full of
//! sends does not ask one after the other. As long as the old token is valid a failure hurts nobody.
//!
//! How old a token is goes by the database's clock, since the local one stands still while the process is frozen.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::HeaderValue;
use pushwake::app::Fcm;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tokio::time::Instant;

use super::account::Account;
use super::client::SetupError;
use super::mint::{Mint, Minting};
use crate::clock::DatabaseClock;
use crate::connection::Connections;
use crate::outcome::Outcome;

/// How long before its end a token is replaced, and never more than a quarter of its life.
const EARLY: Duration = Duration::from_mins(5);
/// How long a failure is kept where the endpoint names no delay.
const KEPT: Duration = Duration::from_secs(1);

/// An access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The value of `authorization`, marked as sensitive.
    pub(super) bearer: HeaderValue,
    refresh_at: OffsetDateTime,
    ends_at: OffsetDateTime,
}

impl Token {
    /// A token issued for `life` at `now`.
    pub(super) fn new(bearer: HeaderValue, now: OffsetDateTime, life: Duration) -> Self {
        let after = |life: Duration| now.checked_add(life.try_into().unwrap_or_default()).unwrap_or(now);
        Self { bearer, refresh_at: after(life.saturating_sub(EARLY.min(life / 4))), ends_at: after(life) }
    }
}

/// The tokens of all service accounts.
#[derive(Debug, Default)]
pub struct Tokens(HashMap<([u8; 32], Option<String>), Arc<TokenSource>>);

impl Tokens {
    /// The source for an app's account; apps of one account share it.
    pub(super) fn of(
        &mut self,
        app: &Fcm,
        key: &str,
        connections: &mut Connections,
    ) -> Result<Arc<TokenSource>, SetupError> {
        let id = (Sha256::digest(key).into(), app.token_url.clone());
        if let Some(source) = self.0.get(&id) {
            return Ok(source.clone());
        }
        let mint = Mint::new(Account::read(key)?, app.token_url.as_deref(), connections)?;
        let source = Arc::new(TokenSource { mint: Arc::new(mint), state: Mutex::default() });
        self.0.insert(id, source.clone());
        Ok(source)
    }
}

/// The access tokens of one account.
#[derive(Debug)]
pub(super) struct TokenSource {
    mint: Arc<Mint>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<Token>,
    minting: Option<Minting>,
    failed: Option<(Outcome, Instant)>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

/// What is there for a send.
enum Found {
    Token(Token),
    Failed(Outcome),
    Minting(Minting),
}

impl TokenSource {
    /// The account's e-mail address: who signs.
    pub(super) fn account(&self) -> &str {
        self.mint.account()
    }

    /// The token to send with, or what becomes of a notification without one.
    pub(super) async fn current(&self, clock: DatabaseClock) -> Result<Token, Outcome> {
        let found = self.look(clock);
        self.wait_for(found, clock).await
    }

    /// A newer token than `used`, which Google refused.
    pub(super) async fn refresh(&self, used: &Token, clock: DatabaseClock) -> Result<Token, Outcome> {
        let found = {
            let mut state = self.lock();
            // Unless another send was faster.
            if state.current.as_ref() == Some(used) {
                state.current = None;
            }
            drop(state);
            self.look(clock)
        };
        self.wait_for(found, clock).await
    }

    fn look(&self, clock: DatabaseClock) -> Found {
        let mut state = self.lock();
        if let Some(token) = state.current.as_ref().filter(|token| clock.now() < token.refresh_at) {
            return Found::Token(token.clone());
        }
        if let Some((outcome, until)) = &state.failed
            && Instant::now() < *until
        {
            return state.valid(clock).map_or_else(|| Found::Failed(outcome.clone()), Found::Token);
        }
        Found::Minting(state.minting.get_or_insert_with(|| self.mint.start(clock)).clone())
    }

    async fn wait_for(&self, found: Found, clock: DatabaseClock) -> Result<Token, Outcome> {
        let minting = match found {
            Found::Token(token) => return Ok(token),
            Found::Failed(outcome) => return Err(outcome),
            Found::Minting(minting) => minting,
        };
        let minted = minting.clone().await;
        let mut state = self.lock();
        // The first of those who waited writes it down.
        if state.minting.as_ref().is_some_and(|current| current.ptr_eq(&minting)) {
            state.minting = None;
            match &minted {
                Ok(token) => {
                    state.current = Some(token.clone());
                    state.failed = None;
                }
                Err(outcome) => state.failed = Some((outcome.clone(), Instant::now() + kept(outcome))),
            }
        }
        minted.or_else(|outcome| state.valid(clock).ok_or(outcome))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The token, if it has not ended.
    fn valid(&self, clock: DatabaseClock) -> Option<Token> {
        self.current.clone().filter(|token| clock.now() < token.ends_at)
    }
}

fn kept(outcome: &Outcome) -> Duration {
    match outcome {
        Outcome::Unavailable { retry_after: Some(delay), .. } => KEPT.max(*delay),
        _ => KEPT,
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_token_is_replaced_five_minutes_or_a_quarter_of_its_life_before_its_end() {
        let now = datetime!(2026-01-01 12:00 UTC);
        let times = |life: u64| {
            let token = Token::new(HeaderValue::from_static("Bearer x"), now, Duration::from_secs(life));
            ((token.refresh_at - now).whole_seconds(), (token.ends_at - now).whole_seconds())
        };
        assert_eq!(times(3599), (3299, 3599));
        assert_eq!(times(100), (75, 100));
        assert_eq!(times(0), (0, 0));
    }
}

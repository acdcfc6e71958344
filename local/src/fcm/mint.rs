//! The token endpoint.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::watch;
use uuid::Uuid;

use super::assertion::Account;
use crate::provider::{Gate, Reply};

const GRANT: &str = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer";

/// Issues access tokens.
pub(super) struct Mint {
    account: Account,
    life: Duration,
    pub(super) gate: Gate,
    pub(super) asked: watch::Sender<u64>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Reply>,
    /// Tokens, and when they end.
    issued: HashMap<String, Instant>,
    mints: u64,
}

impl Mint {
    pub(super) fn new(account: Account, life: Duration) -> Self {
        let (gate, asked) = (Gate::opened(), watch::Sender::new(0));
        Self { account, life, gate, asked, state: Mutex::default() }
    }

    /// Answers a request for a token that was sent to `url`.
    pub(super) fn answer(&self, url: &str, body: &[u8]) -> Reply {
        let scripted = self.lock().script.pop_front();
        let reply = scripted.unwrap_or_else(|| self.issue(url, body));
        self.asked.send_modify(|asked| *asked += 1);
        reply.behind(&self.gate)
    }

    fn issue(&self, url: &str, body: &[u8]) -> Reply {
        if let Err(error) = self.check(url, body) {
            return Reply::raw(400, json!({"error": error, "error_description": "Invalid JWT."}).to_string());
        }
        let token = format!("ya29.{}", Uuid::new_v4().simple());
        let mut state = self.lock();
        state.issued.insert(token.clone(), Instant::now() + self.life);
        state.mints += 1;
        let expires_in = self.life.as_secs();
        let issued = json!({"access_token": token, "expires_in": expires_in, "token_type": "Bearer"});
        Reply::raw(200, issued.to_string())
    }

    fn check(&self, url: &str, body: &[u8]) -> Result<(), &'static str> {
        let form = std::str::from_utf8(body).map_err(|_| "invalid_request")?;
        let fields: HashMap<&str, &str> = form.split('&').filter_map(|field| field.split_once('=')).collect();
        if fields.get("grant_type") != Some(&GRANT) {
            return Err("unsupported_grant_type");
        }
        self.account.check(fields.get("assertion").ok_or("invalid_request")?, url)
    }

    /// Whether an `authorization` is that of a token which was issued and has not ended.
    pub(super) fn accepts(&self, authorization: Option<&str>) -> bool {
        let token = authorization.and_then(|value| value.strip_prefix("Bearer "));
        let state = self.lock();
        token.and_then(|token| state.issued.get(token)).is_some_and(|ends| Instant::now() < *ends)
    }

    pub(super) fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.lock().script.extend(replies);
    }

    pub(super) fn revoke(&self) {
        self.lock().issued.clear();
    }

    pub(super) fn mints(&self) -> u64 {
        self.lock().mints
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

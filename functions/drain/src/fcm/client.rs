//! The walk of one send.

use std::sync::Arc;

use pushwake::app::Fcm;
use pushwake::limits;
use tokio::time::{Instant, timeout_at};

use super::account::KeyError;
use super::answer::{self, Advice, Reading};
use super::request::Message;
use super::token::{Token, TokenSource, Tokens};
use crate::connection::{Connection, Connections, Origin, OriginError, retry_after};
use crate::outcome::{Outcome, Sent};
use crate::provider::Send;

/// The client of one app: its connection and its access token may be shared with other apps of the account.
#[derive(Clone, Debug)]
pub struct Client {
    url: Arc<str>,
    connection: Arc<Connection>,
    tokens: Arc<TokenSource>,
}

/// Why an app can't send.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The key does not parse.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The base URL or the token URL can't be used.
    #[error(transparent)]
    Url(#[from] OriginError),
}

impl Client {
    /// A client that has not connected yet. `key` is the JSON file of the service account.
    pub fn new(app: &Fcm, key: &str, to: &mut Connections, tokens: &mut Tokens) -> Result<Self, SetupError> {
        let origin = Origin::read(&app.base_url)?;
        let tokens = tokens.of(app, key, to)?;
        let url = format!("https://{}/v1/projects/{}/messages:send", origin.authority(), app.project);
        Ok(Self { url: url.into(), connection: to.to(&origin, tokens.account()), tokens })
    }

    /// Hands one notification over.
    pub async fn send(&self, send: &Send<'_>) -> Sent {
        let began = Instant::now();
        let reading = match Message::read(send) {
            Ok(message) => self.hand_over(send, &message, began + limits::SEND_TIMEOUT).await,
            Err(reason) => Outcome::Rejected { reason, listed: true }.into(),
        };
        Sent { outcome: reading.outcome, request_id: reading.id, took: began.elapsed() }
    }

    async fn hand_over(&self, send: &Send<'_>, message: &Message, deadline: Instant) -> Reading {
        let token = match in_time(self.tokens.current(send.clock), deadline).await {
            Ok(token) => token,
            Err(outcome) => return outcome.into(),
        };
        let reading = self.once(send, message, &token, deadline).await;
        if reading.advice == Advice::Keep {
            return reading;
        }
        match in_time(self.tokens.refresh(&token, send.clock), deadline).await {
            Ok(fresh) => self.once(send, message, &fresh, deadline).await,
            Err(outcome) => outcome.into(),
        }
    }

    async fn once(&self, send: &Send<'_>, message: &Message, token: &Token, deadline: Instant) -> Reading {
        let Ok(request) = Message::request(&self.url, token) else {
            return Outcome::Misconfigured { reason: "UnusableBaseUrl".into() }.into();
        };
        // Only now, since getting the token has taken some of its life.
        let body = message.body(send.clock.now());
        match self.connection.exchange(&request, &body, deadline).await {
            Ok(answer) => {
                let delay = retry_after(&answer.headers, send.clock.now());
                answer::read(answer.status, delay, &answer.body)
            }
            Err(fault) => Outcome::from(fault).into(),
        }
    }
}

/// A token that comes too late is none.
async fn in_time(token: impl Future<Output = Result<Token, Outcome>>, deadline: Instant) -> Result<Token, Outcome> {
    let late = Outcome::Unavailable { reason: "AccessTokenTimeout".into(), retry_after: None };
    timeout_at(deadline, token).await.unwrap_or(Err(late))
}

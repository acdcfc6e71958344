//! The walk of one send.

use std::sync::Arc;

use pushwake::app::Apns;
use pushwake::limits;
use tokio::time::Instant;

use super::answer::{self, Advice, Reading};
use super::request::Message;
use super::token::{KeyError, Token, TokenSource, Tokens};
use crate::connection::{Connection, Connections, Origin, OriginError, retry_after};
use crate::outcome::{Outcome, Sent};
use crate::provider::Send;

/// The client of one app: its connection and its token may be shared with other apps of the team.
#[derive(Clone, Debug)]
pub struct Client {
    topic: Arc<str>,
    connection: Arc<Connection>,
    tokens: Arc<TokenSource>,
}

/// Why an app can't send.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The key does not parse.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The base URL can't be used.
    #[error(transparent)]
    BaseUrl(#[from] OriginError),
}

impl Client {
    /// A client that has not connected yet. `key` is the PEM of the `.p8` file.
    pub fn new(app: &Apns, key: &str, to: &mut Connections, tokens: &mut Tokens) -> Result<Self, SetupError> {
        let origin = Origin::read(&app.base_url)?;
        Ok(Self {
            topic: app.topic.as_str().into(),
            // Tokens of two teams must not share a connection.
            connection: to.to(&origin, &app.team),
            tokens: tokens.of(&app.team, &app.key_id, key)?,
        })
    }

    /// Hands one notification over.
    pub async fn send(&self, send: &Send<'_>) -> Sent {
        let began = Instant::now();
        let mut request_id = None;
        let outcome = match Message::read(send, &self.topic) {
            Ok(message) => {
                request_id = Some(message.id());
                self.hand_over(send, &message, began + limits::SEND_TIMEOUT).await
            }
            Err(reason) => Outcome::Rejected { reason, listed: true },
        };
        Sent { outcome, request_id, took: began.elapsed() }
    }

    async fn hand_over(&self, send: &Send<'_>, message: &Message, deadline: Instant) -> Outcome {
        let Ok(token) = self.tokens.current(send.clock.now()) else {
            return Outcome::Misconfigured { reason: "UnusableKey".into() };
        };
        let mut reading = self.once(send, message, &token, deadline).await;
        if reading.advice == Advice::Refresh
            && let Some(fresh) = self.tokens.refresh(&token, send.clock.now())
        {
            reading = self.once(send, message, &fresh, deadline).await;
        }
        if reading.advice == Advice::Hold {
            self.tokens.hold(send.clock.now());
        }
        reading.outcome
    }

    async fn once(&self, send: &Send<'_>, message: &Message, token: &Token, deadline: Instant) -> Reading {
        let Ok(request) = message.request(&self.connection.origin().authority(), token) else {
            return Outcome::Rejected { reason: "UnsendableTarget".into(), listed: true }.into();
        };
        match self.connection.exchange(&request, message.body(), deadline).await {
            Ok(answer) => {
                let delay = retry_after(&answer.headers, send.clock.now());
                answer::read(answer.status, delay, &answer.body)
            }
            Err(fault) => Outcome::from(fault).into(),
        }
    }
}

//! The walk of one send.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use pushwake::app::WebPush;
use pushwake::limits;
use tokio::time::Instant;

use super::answer;
use super::encrypt::NoRandom;
use super::request::Message;
use super::services::Services;
use super::token::{KeyError, TokenSource};
use crate::connection::{Dialer, Reach, retry_after};
use crate::outcome::{Outcome, Sent};
use crate::provider::Send;

/// The client of one app. Clones share their connections.
#[derive(Clone)]
pub struct Client(Arc<Shared>);

struct Shared {
    app: WebPush,
    tokens: TokenSource,
    services: Services,
}

/// Why an app can't send.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The key is of no use.
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl Client {
    /// A client that has not connected yet. `key` is the private half of the app's key pair.
    pub fn new(app: &WebPush, key: &str, dialer: Dialer) -> Result<Self, SetupError> {
        let tokens = TokenSource::new(app, key)?;
        Ok(Self(Arc::new(Shared { app: app.clone(), tokens, services: Services::new(dialer) })))
    }

    /// Hands one notification over.
    pub async fn send(&self, send: &Send<'_>) -> Sent {
        let began = Instant::now();
        let outcome = match Message::read(send, &self.0.app) {
            Ok(message) => self.hand_over(send, &message, began + limits::SEND_TIMEOUT).await,
            Err(outcome) => outcome,
        };
        Sent { outcome, request_id: None, took: began.elapsed() }
    }

    async fn hand_over(&self, send: &Send<'_>, message: &Message, deadline: Instant) -> Outcome {
        let Shared { tokens, services, .. } = &*self.0;
        let reach = if message.endpoint.simulated { Reach::Loopback } else { Reach::Public };
        let service = services.of(&message.endpoint, reach);
        let token = service.token(tokens, send.clock.now());
        let body = match message.browser.encrypt(message.plaintext.as_bytes()) {
            Ok(body) => Bytes::from(body),
            Err(NoRandom) => return Outcome::Unavailable { reason: "NoRandomBytes".into(), retry_after: None },
        };
        let Ok(request) = message.request(&token, body.len()) else {
            return Outcome::Rejected { reason: "UnsendableTarget".into(), listed: true };
        };
        let answer = match service.connection.exchange(&request, &body, deadline).await {
            Ok(answer) => answer,
            Err(fault) => return fault.into(),
        };
        let delay = retry_after(&answer.headers, send.clock.now());
        let outcome = answer::read(answer.status, delay, &answer.body, token.was_accepted());
        if outcome == Outcome::Delivered {
            token.accept();
        }
        outcome
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("app", &self.0.app).finish_non_exhaustive()
    }
}

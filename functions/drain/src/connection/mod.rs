//! HTTP/2 to a provider: one connection per host and signing team, and the knowledge of what was written. Only push
//! services may be older than that ([`Either`]).
//!
//! Every send runs through [`Connection::exchange`]. A request that surely was not processed (no connection, a
//! refused stream, a GOAWAY whose last id is below its own, no free stream in time) is resent once on what is then
//! the current connection; whatever was written and got no answer is [`Fault::Unanswered`], and never resent here.
//!
//! The body is written only after the peer has given the request its place among its concurrent streams. A request
//! without its body can't be processed, so everything up to that moment counts as not written.
//!
//! A session's driver is the one task that outlives an invocation: it owns the socket, holds no notification, and
//! nothing waits for it. A frozen function finds it where it was; see [`session`] for what happens after the thaw.

mod dial;
mod either;
mod exchange;
mod http1;
mod origin;
mod reach;
mod retry_after;
mod session;
mod stream;
mod tls;

pub use either::Either;
pub use exchange::{Answer, Fault};
pub use origin::{Origin, OriginError};
pub use reach::Reach;
pub use retry_after::retry_after;
pub use tls::TlsError;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustls::ClientConfig;

use dial::{Failures, Opening};
use session::Session;
use stream::Way;

/// The connections of one function instance.
#[derive(Debug)]
pub struct Connections {
    tls: Arc<ClientConfig>,
    by_tenant: HashMap<(Origin, String), Arc<Connection>>,
}

impl Connections {
    /// No connections yet. `extra_ca` is a PEM file trusted beside the system's roots.
    pub fn new(extra_ca: Option<&Path>) -> Result<Self, TlsError> {
        Ok(Self { tls: Arc::new(tls::config(extra_ca)?), by_tenant: HashMap::new() })
    }

    /// The connection to `origin` of one signing team (or whatever else must not share it). Dials nothing.
    pub fn to(&mut self, origin: &Origin, tenant: &str) -> Arc<Connection> {
        let key = (origin.clone(), tenant.to_owned());
        let way = || Way { origin: origin.clone(), reach: Reach::Anywhere, tls: self.tls.clone() };
        self.by_tenant.entry(key).or_insert_with(|| Arc::new(Connection::new(way()))).clone()
    }

    /// Makes connections that are not kept here.
    pub fn dialer(&self) -> Dialer {
        Dialer(self.tls.clone())
    }
}

/// Makes connections.
#[derive(Clone, Debug)]
pub struct Dialer(Arc<ClientConfig>);

/// One connection, made when it is first needed and replaced when it is lost.
#[derive(Debug)]
pub struct Connection {
    way: Way,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    link: Link,
    failures: Failures,
}

#[derive(Debug)]
enum Link {
    /// Nothing is connected.
    Down,
    /// Everyone who sends waits for the same attempt.
    Opening(Opening),
    /// Connected, as far as we know.
    Up(Arc<Session>),
}

impl Connection {
    fn new(way: Way) -> Self {
        Self { way, state: Mutex::new(State { link: Link::Down, failures: Failures::default() }) }
    }

    /// The host and port.
    pub fn origin(&self) -> &Origin {
        &self.way.origin
    }

    /// The current session: checked if it has been silent for long, dialled if there is none. All callers share one
    /// attempt, whoever of them is polled drives it, and none of them is needed for it.
    async fn session(&self) -> Result<Arc<Session>, Fault> {
        loop {
            let opening = match self.current() {
                Ok(session) => return Ok(session),
                Err(opening) => opening,
            };
            let opened = opening.clone().await;
            let mut state = self.lock();
            let ours = matches!(&state.link, Link::Opening(current) if current.ptr_eq(&opening));
            match opened {
                Ok(session) if ours => {
                    state.failures = Failures::default();
                    state.link = Link::Up(session);
                }
                Err(fault) => {
                    if ours {
                        state.failures.add(Instant::now());
                        state.link = Link::Down;
                    }
                    return Err(fault);
                }
                Ok(_) => {}
            }
        }
    }

    fn current(&self) -> Result<Arc<Session>, Opening> {
        let mut state = self.lock();
        let opening = match &state.link {
            Link::Opening(opening) => return Err(opening.clone()),
            Link::Up(session) if session.is_usable() && !session.is_silent() => return Ok(session.clone()),
            Link::Up(session) if session.is_usable() => dial::check(session.clone(), &self.way),
            Link::Up(_) | Link::Down => dial::dial(&self.way, state.failures.wait(Instant::now())),
        };
        state.link = Link::Opening(opening.clone());
        Err(opening)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

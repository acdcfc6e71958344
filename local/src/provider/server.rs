//! The server, as a test or the demo holds it.

use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};

use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::ledger::{Ledger, Tally};
use super::listen::{self, State};
use super::script::Scripts;
use super::{Asking, Authority, Gate, Handle, Latency, Protocol, Recorded, Reply};

/// What every simulated provider can be told.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long an answer takes.
    pub latency: Latency,
    /// Seed of the latency.
    pub seed: u64,
    /// Streams a connection may have open.
    pub streams: u32,
}

/// Why it can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No port.
    #[error("a simulated provider can't listen on loopback: {0}")]
    Listen(#[from] io::Error),
    /// No certificate.
    #[error("a simulated provider can't make its certificates: {0}")]
    Certificate(#[from] rcgen::Error),
    /// No TLS.
    #[error("a simulated provider can't set TLS up: {0}")]
    Tls(#[from] rustls::Error),
    /// No signing key.
    #[error("a simulated provider can't use its signing key: {0}")]
    Key(#[from] jsonwebtoken::errors::Error),
}

/// A running simulated provider. It ends when it is dropped.
pub struct Server<P: Protocol> {
    port: u16,
    ca_pem: String,
    state: Arc<State<P>>,
}

impl<P: Protocol> Server<P> {
    /// Starts one on a free port of loopback, with a certificate of `authority`.
    pub(crate) async fn open(protocol: P, settings: Settings, authority: &Authority) -> Result<Self, StartError> {
        let stop = CancellationToken::new();
        let state = Arc::new(State {
            protocol,
            ledger: Arc::new(Ledger::default()),
            gate: Gate::opened(),
            scripts: Mutex::new(Scripts::default()),
            latency: Mutex::new((settings.latency, StdRng::seed_from_u64(settings.seed))),
            streams: settings.streams,
            go_away: watch::Sender::new(0),
            drop: Mutex::new(stop.child_token()),
            stop,
            tasks: TaskTracker::new(),
        });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        state.tasks.spawn(listen::listen(state.clone(), listener, authority.acceptor()));
        Ok(Self { port, ca_pem: authority.ca_pem().to_owned(), state })
    }

    /// What is the provider's own.
    pub(crate) fn protocol(&self) -> &P {
        &self.state.protocol
    }

    /// A hold on it that does not end it.
    pub(crate) fn handle(&self) -> Handle<P> {
        Handle::new(self.base_url(), self.state.clone())
    }

    /// Its base URL.
    pub fn base_url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// The certificate of its CA.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// Appends to the script of one device; after its end the default answers.
    pub fn script(&self, device: &str, replies: impl IntoIterator<Item = Reply>) {
        self.scripts(|scripts| scripts.append(device, replies));
    }

    /// What a device without a script gets from now on if its token begins with `prefix`.
    pub fn answer_prefix(&self, prefix: &str, reply: Reply) {
        self.scripts(|scripts| scripts.answer_prefix(prefix, reply));
    }

    /// What every other request without a script gets from now on.
    pub fn answer_all(&self, reply: Reply) {
        self.scripts(|scripts| scripts.default = reply);
    }

    fn scripts(&self, change: impl FnOnce(&mut Scripts)) {
        change(&mut self.state.scripts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Every answer waits here while it is closed.
    pub fn gate(&self) -> &Gate {
        &self.state.gate
    }

    /// What arrived, in order of arrival.
    pub fn requests(&self) -> Vec<Recorded<P::Asked>> {
        self.requests_from(0)
    }

    /// What arrived after the first `n` requests, in order of arrival.
    pub fn requests_from(&self, n: usize) -> Vec<Recorded<P::Asked>> {
        self.state.ledger.requests_from(n)
    }

    /// What arrived for one device.
    pub fn requests_of(&self, device: &str) -> Vec<Recorded<P::Asked>> {
        self.requests().into_iter().filter(|request| request.asked.device() == device).collect()
    }

    /// What the ledger adds up to.
    pub fn tally(&self) -> Tally {
        self.state.ledger.tally()
    }

    /// Waits until the tally fulfils a condition; panics with the tally when it has not within two minutes.
    pub async fn wait_until(&self, condition: impl Fn(&Tally) -> bool) -> Tally {
        self.state.ledger.wait_until(condition).await
    }

    /// Says GOAWAY on every connection: what is in flight is still answered.
    pub fn go_away(&self) {
        self.state.go_away.send_modify(|asked| *asked += 1);
    }

    /// Closes every connection of now without a word.
    pub fn drop_connections(&self) {
        let next = self.state.stop.child_token();
        let current = std::mem::replace(&mut *self.state.drop.lock().unwrap_or_else(PoisonError::into_inner), next);
        current.cancel();
    }

    /// Ends the server and waits until nothing of it is left.
    pub async fn shutdown(self) {
        self.state.stop.cancel();
        self.state.tasks.close();
        self.state.tasks.wait().await;
    }
}

impl<P: Protocol> Drop for Server<P> {
    fn drop(&mut self) {
        self.state.stop.cancel();
    }
}

//! The server, as a test or the demo holds it.

use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rand::SeedableRng;
use rand::rngs::StdRng;
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::gate::Gate;
use super::ledger::{Ledger, Tally};
use super::listen::{self, State};
use super::script::{Reply, Scripts};
use super::token::Team;
use super::{Authority, Options, Recorded, StartError};

/// Files a client needs.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The CA to trust, in PEM.
    pub ca: PathBuf,
    /// The signing key, in PEM.
    pub key: PathBuf,
}

/// A running simulated APNs. It ends when it is dropped.
pub struct Server {
    options: Options,
    port: u16,
    ca_pem: String,
    key_pem: String,
    state: Arc<State>,
}

impl Server {
    /// Starts one on a free port of loopback.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let authority = Authority::new()?;
        let signing = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let mut team = Team::new(&options.team, &options.key_id, &signing.public_key_pem())?;
        team.guard_updates = options.guard_updates;
        let stop = CancellationToken::new();
        let state = Arc::new(State {
            ledger: Arc::new(Ledger::default()),
            gate: Gate::opened(),
            topics: options.topics.clone(),
            sequence: options.sequence,
            scripts: Mutex::new(Scripts::default()),
            team: Mutex::new(team),
            latency: Mutex::new((options.latency, StdRng::seed_from_u64(options.seed))),
            streams: options.streams,
            go_away: watch::Sender::new(0),
            drop: Mutex::new(stop.child_token()),
            stop,
            tasks: TaskTracker::new(),
        });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        state.tasks.spawn(listen::listen(state.clone(), listener, authority.acceptor()));
        Ok(Self { options, port, ca_pem: authority.ca_pem().to_owned(), key_pem: signing.serialize_pem(), state })
    }

    /// Its base URL.
    pub fn base_url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// The certificate of its CA.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// The key to sign with, as a `.p8` file holds it.
    pub fn key_pem(&self) -> &str {
        &self.key_pem
    }

    /// Writes what a client needs into `folder`.
    pub fn write_credentials(&self, folder: &Path) -> io::Result<Credentials> {
        let written = Credentials { ca: folder.join("apns-ca.pem"), key: folder.join("apns-key.p8") };
        std::fs::write(&written.ca, &self.ca_pem)?;
        std::fs::write(&written.key, &self.key_pem)?;
        Ok(written)
    }

    /// The settings of an app that sends to it, for `PUSHWAKE_APPS`.
    pub fn app(&self, credentials: &Credentials) -> Value {
        json!({
            "platform": "apns", "topic": self.options.topics[0], "environment": "production",
            "team": self.options.team, "key_id": self.options.key_id,
            "key": format!("file:{}", credentials.key.display()), "base_url": self.base_url(),
        })
    }

    /// Appends to the script of one device token; after its end the default answers.
    pub fn script(&self, device: &str, replies: impl IntoIterator<Item = Reply>) {
        self.scripts(|scripts| scripts.append(device, replies));
    }

    /// What every request without a script gets from now on.
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
    pub fn requests(&self) -> Vec<Recorded> {
        self.state.ledger.requests()
    }

    /// What arrived for one device token.
    pub fn requests_of(&self, device: &str) -> Vec<Recorded> {
        self.requests().into_iter().filter(|request| request.asked.device == device).collect()
    }

    /// What the ledger adds up to.
    pub fn tally(&self) -> Tally {
        self.state.ledger.tally()
    }

    /// Waits until the tally fulfils a condition.
    pub async fn wait_until(&self, condition: impl Fn(&Tally) -> bool) -> Tally {
        self.state.ledger.wait_until(condition).await
    }

    /// Provider tokens that were accepted, each counted once.
    pub fn distinct_tokens(&self) -> usize {
        self.state.team.lock().unwrap_or_else(PoisonError::into_inner).distinct()
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

impl Drop for Server {
    fn drop(&mut self) {
        self.state.stop.cancel();
    }
}

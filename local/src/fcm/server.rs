//! The server, as a test or the demo holds it.

use std::io;
use std::path::{Path, PathBuf};

use jsonwebtoken::DecodingKey;
use serde_json::{Value, json};

use super::assertion::Account;
use super::mint::Mint;
use super::protocol::TOKEN_PATH;
use super::{Authority, Fcm, Gate, Options, Reply, StartError};
use crate::patience::soon;
use crate::provider::{self, Settings};

/// The key of the simulated service account. It is published with this source, and good for nothing else.
const KEY: &str = include_str!("test_key.pem");
/// Its public half.
const PUBLIC_KEY: &str = include_str!("test_key_public.pem");
const KEY_ID: &str = "test-key-1";

/// Files a client needs.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The CA to trust, in PEM.
    pub ca: PathBuf,
    /// The service account's key, in JSON.
    pub key: PathBuf,
}

/// A running simulated FCM. It ends when it is dropped.
pub type Server = provider::Server<Fcm>;

impl Server {
    /// Starts one on a free port of loopback, with a CA of its own.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        Self::start_under(&Authority::new()?, options).await
    }

    /// Starts one whose certificate is of a CA that others have too.
    pub async fn start_under(authority: &Authority, options: Options) -> Result<Self, StartError> {
        let key = DecodingKey::from_rsa_pem(PUBLIC_KEY.as_bytes())?;
        let account = Account { email: options.account.clone(), key_id: KEY_ID.to_owned(), key };
        let settings = Settings { latency: options.latency, seed: options.seed, streams: options.streams };
        let mint = Mint::new(account, options.token_life);
        Self::open(Fcm { options, mint }, settings, authority).await
    }

    /// The service account's key, as the JSON file that Google issues.
    pub fn key_json(&self) -> String {
        self.key_json_for(&format!("{}{TOKEN_PATH}", self.base_url()))
    }

    /// The same with another token endpoint in it.
    pub fn key_json_for(&self, token_uri: &str) -> String {
        let options = &self.protocol().options;
        json!({
            "type": "service_account", "project_id": options.project, "private_key_id": KEY_ID, "private_key": KEY,
            "client_email": options.account, "token_uri": token_uri,
        })
        .to_string()
    }

    /// Writes what a client needs into `folder`.
    pub fn write_credentials(&self, folder: &Path) -> io::Result<Credentials> {
        let written = Credentials { ca: folder.join("fcm-ca.pem"), key: folder.join("fcm-key.json") };
        std::fs::write(&written.ca, self.ca_pem())?;
        std::fs::write(&written.key, self.key_json())?;
        Ok(written)
    }

    /// The settings of an app that sends to it, for `PUSHWAKE_APPS`.
    pub fn app(&self, credentials: &Credentials) -> Value {
        json!({
            "platform": "fcm", "project": self.protocol().options.project,
            "key": format!("file:{}", credentials.key.display()), "base_url": self.base_url(),
        })
    }

    /// Access tokens that were issued.
    pub fn mints(&self) -> u64 {
        self.protocol().mint.mints()
    }

    /// What the next requests for a token get instead of one.
    pub fn script_mints(&self, replies: impl IntoIterator<Item = Reply>) {
        self.protocol().mint.script(replies);
    }

    /// Every answer of the token endpoint waits here while it is closed.
    pub fn mint_gate(&self) -> &Gate {
        &self.protocol().mint.gate
    }

    /// Waits until `n` requests for a token have come in all; panics when they have not within two minutes.
    pub async fn wait_for_mint_requests(&self, n: u64) {
        let mut asked = self.protocol().mint.asked.subscribe();
        // The sender is alive: it is ours.
        let told = || format!("{} requests for a token", self.mint_requests());
        let _ = soon(asked.wait_for(|asked| *asked >= n), told).await;
    }

    /// Requests for a token so far.
    pub fn mint_requests(&self) -> u64 {
        *self.protocol().mint.asked.borrow()
    }

    /// Refuses every token that was issued until now.
    pub fn revoke_tokens(&self) {
        self.protocol().mint.revoke();
    }
}

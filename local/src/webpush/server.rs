//! The service, as a test or the demo holds it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::SecretKey;
use p256::elliptic_curve::Generate;
use pushwake::contract::{Subscription, SubscriptionKeys};
use serde_json::{Value, json};

use super::browser::Browser;
use super::token::Tokens;
use super::{Authority, Options, StartError, WebPush};
use crate::provider::{self, Handle, Settings};

/// What stands before the name in an endpoint's path.
pub(super) const PATH: &str = "/push/";

/// Files a client needs.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The CA to trust, in PEM.
    pub ca: PathBuf,
    /// The private half of the app's key pair, in base64url.
    pub key: PathBuf,
}

impl Handle<WebPush> {
    /// As [`Server::subscribe`].
    pub(crate) fn subscribe(&self, name: &str) -> Subscription {
        let keys = self.protocol().subscribe(name, &self.protocol().public_key);
        Subscription { endpoint: format!("{}{PATH}{name}", self.base_url()), keys }
    }
}

impl WebPush {
    fn subscribe(&self, name: &str, public_key: &str) -> SubscriptionKeys {
        let browser = Browser::subscribe(public_key);
        let keys = browser.keys();
        self.browsers().insert(name.to_owned(), browser);
        keys
    }
}

/// A running simulated push service. It ends when it is dropped.
pub type Server = provider::Server<WebPush>;

impl Server {
    /// Starts one on a free port of loopback, with a CA of its own.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        Self::start_under(&Authority::new()?, options).await
    }

    /// Starts one whose certificate is of a CA that others have too.
    pub async fn start_under(authority: &Authority, options: Options) -> Result<Self, StartError> {
        let secret = SecretKey::generate();
        let settings = Settings { latency: options.latency, seed: options.seed, streams: options.streams };
        let service = WebPush {
            options,
            key: URL_SAFE_NO_PAD.encode(secret.to_bytes()),
            public_key: URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes()),
            browsers: Mutex::new(HashMap::new()),
            tokens: Mutex::new(Tokens::default()),
        };
        Self::open(service, settings, authority).await
    }

    /// A new subscription, for the app of [`app`](Self::app) to push to. `name` is what scripts and the ledger call
    /// it: part of a path, one for each browser.
    pub fn subscribe(&self, name: &str) -> Subscription {
        self.subscribe_for(name, &self.protocol().public_key)
    }

    /// A new subscription for another app's public key.
    pub fn subscribe_for(&self, name: &str, public_key: &str) -> Subscription {
        let keys = self.protocol().subscribe(name, public_key);
        Subscription { endpoint: format!("{}{PATH}{name}", self.base_url()), keys }
    }

    /// The browser takes its subscription back: pushes to it are answered 410.
    pub fn unsubscribe(&self, name: &str) {
        if let Some(browser) = self.protocol().browsers().get_mut(name) {
            browser.subscribed = false;
        }
    }

    /// The private half of the app's key pair, in base64url.
    pub fn key(&self) -> &str {
        &self.protocol().key
    }

    /// Writes what a client needs into `folder`.
    pub fn write_credentials(&self, folder: &Path) -> io::Result<Credentials> {
        let written = Credentials { ca: folder.join("webpush-ca.pem"), key: folder.join("webpush-vapid.key") };
        std::fs::write(&written.ca, self.ca_pem())?;
        std::fs::write(&written.key, self.key())?;
        Ok(written)
    }

    /// The settings of an app that pushes to it, for `PUSHWAKE_APPS`.
    pub fn app(&self, credentials: &Credentials) -> Value {
        json!({
            "platform": "webpush", "subject": "mailto:push@example.com", "public_key": self.protocol().public_key,
            "key": format!("file:{}", credentials.key.display()), "base_url": self.base_url(),
        })
    }

    /// VAPID tokens that were accepted, each counted once.
    pub fn distinct_tokens(&self) -> usize {
        self.protocol().tokens.lock().unwrap_or_else(PoisonError::into_inner).distinct()
    }
}

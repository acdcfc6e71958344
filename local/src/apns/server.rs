//! The server, as a test or the demo holds it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256};
use serde_json::{Value, json};

use super::token::Team;
use super::{Apns, Authority, Options, StartError};
use crate::provider::{self, Settings};

/// Files a client needs.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The CA to trust, in PEM.
    pub ca: PathBuf,
    /// The signing key, in PEM.
    pub key: PathBuf,
}

/// A running simulated APNs. It ends when it is dropped.
pub type Server = provider::Server<Apns>;

impl Server {
    /// Starts one on a free port of loopback, with a CA of its own.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        Self::start_under(&Authority::new()?, options).await
    }

    /// Starts one whose certificate is of a CA that others have too.
    pub async fn start_under(authority: &Authority, options: Options) -> Result<Self, StartError> {
        let signing = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let mut team = Team::new(&options.team, &options.key_id, &signing.public_key_pem())?;
        team.guard_updates = options.guard_updates;
        let settings = Settings { latency: options.latency, seed: options.seed, streams: options.streams };
        let apns = Apns { options, key_pem: signing.serialize_pem(), team: Mutex::new(team) };
        Self::open(apns, settings, authority).await
    }

    /// The key to sign with, as a `.p8` file holds it.
    pub fn key_pem(&self) -> &str {
        &self.protocol().key_pem
    }

    /// Writes what a client needs into `folder`.
    pub fn write_credentials(&self, folder: &Path) -> io::Result<Credentials> {
        let written = Credentials { ca: folder.join("apns-ca.pem"), key: folder.join("apns-key.p8") };
        std::fs::write(&written.ca, self.ca_pem())?;
        std::fs::write(&written.key, self.key_pem())?;
        Ok(written)
    }

    /// The settings of an app that sends to it, for `PUSHWAKE_APPS`.
    pub fn app(&self, credentials: &Credentials) -> Value {
        let options = &self.protocol().options;
        json!({
            "platform": "apns", "topic": options.topics[0], "environment": "production",
            "team": options.team, "key_id": options.key_id,
            "key": format!("file:{}", credentials.key.display()), "base_url": self.base_url(),
        })
    }

    /// Provider tokens that were accepted, each counted once.
    pub fn distinct_tokens(&self) -> usize {
        self.protocol().team.lock().unwrap_or_else(PoisonError::into_inner).distinct()
    }
}

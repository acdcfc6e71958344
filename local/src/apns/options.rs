//! How the server behaves.

use std::time::Duration;

use serde::Deserialize;

use super::Latency;
use crate::provider::Number;

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The topics its tokens may push to; the first is the one of [`Server::app`](super::Server::app).
    pub topics: Vec<String>,
    /// The team that signs.
    pub team: String,
    /// The id of the signing key, which the server makes.
    pub key_id: String,
    /// How long an answer takes.
    pub latency: Latency,
    /// Seed of the latency.
    pub seed: u64,
    /// Streams a connection may have open.
    pub streams: u32,
    /// Whether a second token within 20 minutes of the first is refused, as Apple does.
    pub guard_updates: bool,
    /// Finds a device's sequence number in a body.
    pub sequence: fn(&[u8]) -> Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            topics: vec!["com.example.app".to_owned()],
            team: "TEAM123456".to_owned(),
            key_id: "KEY1234567".to_owned(),
            latency: Latency::Fixed(Duration::ZERO),
            seed: 1,
            streams: 1000,
            guard_updates: true,
            sequence: n_of,
        }
    }
}

/// The number under `n` of a body, beside `aps`.
fn n_of(body: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        #[serde(default)]
        n: Number,
    }
    serde_json::from_slice::<Numbered>(body).ok()?.n.0
}

//! How the service behaves.

use std::time::Duration;

use serde::Deserialize;

use super::Latency;
use crate::provider::Number;

/// How the service behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long an answer takes.
    pub latency: Latency,
    /// Seed of the latency.
    pub seed: u64,
    /// Streams a connection may have open.
    pub streams: u32,
    /// Finds a device's sequence number in a plaintext.
    pub sequence: fn(&[u8]) -> Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { latency: Latency::Fixed(Duration::ZERO), seed: 1, streams: 1000, sequence: n_of }
    }
}

/// The number under `n` of a plaintext's data.
fn n_of(plaintext: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Body {
        data: Numbered,
    }
    #[derive(Deserialize)]
    struct Numbered {
        #[serde(default)]
        n: Number,
    }
    serde_json::from_slice::<Body>(plaintext).ok()?.data.n.0
}

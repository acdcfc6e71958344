//! How the server behaves.

use std::time::Duration;

use serde::Deserialize;

use super::Latency;
use crate::provider::Number;

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The Firebase project.
    pub project: String,
    /// The service account that may send.
    pub account: String,
    /// How long an answer takes.
    pub latency: Latency,
    /// Seed of the latency.
    pub seed: u64,
    /// Streams a connection may have open.
    pub streams: u32,
    /// How long an access token is valid.
    pub token_life: Duration,
    /// Finds a device's sequence number in a body.
    pub sequence: fn(&[u8]) -> Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            project: "shop-1".to_owned(),
            account: "push@shop-1.iam.gserviceaccount.com".to_owned(),
            latency: Latency::Fixed(Duration::ZERO),
            seed: 1,
            streams: 1000,
            token_life: Duration::from_secs(3599),
            sequence: n_of,
        }
    }
}

/// The number under `n` of a message's `data`, where every value is a string.
fn n_of(body: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Body {
        message: Message,
    }
    #[derive(Deserialize)]
    struct Message {
        data: Numbered,
    }
    #[derive(Deserialize)]
    struct Numbered {
        #[serde(default)]
        n: Number,
    }
    serde_json::from_slice::<Body>(body).ok()?.message.data.n.0
}

//! How long an answer takes.

use std::time::Duration;

use rand::Rng;
use rand::rngs::StdRng;

/// How long an answer takes, where its script does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// Always as long.
    Fixed(Duration),
    /// Uniform between two bounds.
    Spread(Duration, Duration),
}

impl Latency {
    /// The next one.
    pub(super) fn draw(self, rng: &mut StdRng) -> Duration {
        match self {
            Self::Fixed(duration) => duration,
            Self::Spread(low, high) => rng.random_range(low..=high.max(low)),
        }
    }
}

//! The switch that delivers some messages twice, as SQS may.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

/// Decides which deliveries get a second one.
#[derive(Debug, Default)]
pub(super) struct Duplicates(Option<(f64, StdRng)>);

impl Duplicates {
    pub(super) fn of(share: f64, seed: u64) -> Self {
        Self(Some((share.clamp(0.0, 1.0), StdRng::seed_from_u64(seed))))
    }

    pub(super) fn strikes(&mut self) -> bool {
        self.0.as_mut().is_some_and(|(share, random)| random.random_bool(*share))
    }
}

//! Counts while a function works: an atomic each, so that nothing on the way of a delivery allocates or locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Metric;

/// What was counted since the start of an invocation.
#[derive(Debug)]
pub struct Counts([AtomicU64; Metric::ALL.len()]);

impl Default for Counts {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Counts {
    /// Counts one.
    pub fn one(&self, metric: Metric) {
        self.add(metric, 1);
    }

    /// Counts `n`.
    pub fn add(&self, metric: Metric, n: u64) {
        self.0[metric as usize].fetch_add(n, Relaxed);
    }

    /// What was counted.
    pub fn of(&self, metric: Metric) -> u64 {
        self.0[metric as usize].load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_its_own_place() {
        let counts = Counts::default();
        for (n, metric) in Metric::ALL.iter().enumerate() {
            counts.add(*metric, n as u64);
        }
        for (n, metric) in Metric::ALL.iter().enumerate() {
            assert_eq!(counts.of(*metric), n as u64, "{}", metric.as_str());
        }
    }
}

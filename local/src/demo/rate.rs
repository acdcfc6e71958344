//! A rate over the last few seconds.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const OVER: Duration = Duration::from_secs(3);

/// Knows when how many there were.
#[derive(Debug, Default)]
pub(super) struct Rate(VecDeque<(Instant, u64)>);

impl Rate {
    /// Takes how many there are now, and returns how many came per second.
    pub(super) fn at(&mut self, now: Instant, n: u64) -> f64 {
        self.0.push_back((now, n));
        while self.0.len() > 2 && now.duration_since(self.0[1].0) >= OVER {
            self.0.pop_front();
        }
        let (since, before) = self.0[0];
        let took = now.duration_since(since).as_secs_f64();
        if took > 0.0 { (n - before) as f64 / took } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let (mut rate, start) = (Rate::default(), Instant::now());
        assert!(rate.at(start, 0).abs() < 1e-6);
        let last = (1..=10).map(|second| rate.at(start + Duration::from_secs(second), second * second)).last();
        assert_eq!(last, Some((100.0 - 49.0) / 3.0));
    }
}

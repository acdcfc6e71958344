//! Backoff: full jitter below 2, 4, 8, 16, 30 s, and never before the provider's own delay.

use std::time::Duration;

/// The longest own delay before the second, third … attempt; the last one repeats.
const CEILINGS: [u64; 5] = [2, 4, 8, 16, 30];
/// Jitter may draw nearly nothing; ten attempts in a row must still not be a hot loop.
const FLOOR: Duration = Duration::from_millis(100);

/// The delay after the `attempts`-th attempt (from 1). `jitter` is uniform in [0, 1).
pub(super) fn after(attempts: i32, asked: Option<Duration>, jitter: f64) -> Duration {
    let nth = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(CEILINGS.len() - 1);
    let own = Duration::from_secs(CEILINGS[nth]).mul_f64(jitter.clamp(0.0, 1.0)).max(FLOOR);
    asked.map_or(own, |asked| asked.max(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_grows_to_thirty_seconds_and_stays() {
        let ceilings: Vec<u64> = (0..8).map(|attempts| after(attempts, None, 1.0).as_secs()).collect();
        assert_eq!(ceilings, [2, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(after(i32::MAX, None, 1.0).as_secs(), 30);
        assert_eq!(after(i32::MIN, None, 1.0).as_secs(), 2);
    }

    #[test]
    fn jitter_is_full_but_never_a_hot_loop() {
        assert_eq!(after(1, None, 0.5), Duration::from_secs(1));
        assert_eq!(after(5, None, 0.0), FLOOR);
    }

    #[test]
    fn the_providers_delay_is_a_lower_bound() {
        assert_eq!(after(1, Some(Duration::from_secs(61)), 0.9), Duration::from_secs(61));
        assert_eq!(after(5, Some(Duration::from_secs(1)), 0.5), Duration::from_secs(15));
    }
}

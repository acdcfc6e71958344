//! How many invocations a mapping runs at once. Lambda starts with five, and adds up to 300 a minute while messages
//! are left, up to the mapping's `MaximumConcurrency`.

use std::time::Duration;

use tokio::time::Instant;

/// Invocations at first, and again after a rest.
const FIRST: usize = 5;
/// 300 a minute, one at a time.
const STEP: Duration = Duration::from_millis(200);
/// Time without a message after which a mapping starts over. AWS names none.
const REST: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(super) struct Ramp {
    most: usize,
    allowed: usize,
    stepped_at: Instant,
    message_at: Instant,
}

impl Ramp {
    pub(super) fn new(most: usize, now: Instant) -> Self {
        Self { most, allowed: FIRST.min(most), stepped_at: now, message_at: now }
    }

    pub(super) fn allowed(&self) -> usize {
        self.allowed
    }

    /// A message arrived.
    pub(super) fn message(&mut self, now: Instant) {
        if now.saturating_duration_since(self.message_at) >= REST {
            self.allowed = FIRST.min(self.most);
        }
        self.message_at = now;
    }

    /// When to look whether messages are left: only while everything allowed is running, and more may be.
    pub(super) fn next_look(&self, running: usize) -> Option<Instant> {
        (running >= self.allowed && self.allowed < self.most).then(|| self.stepped_at + STEP)
    }

    /// The look found messages, or none.
    pub(super) fn look(&mut self, messages_left: bool, now: Instant) {
        self.stepped_at = now;
        if messages_left {
            self.allowed = (self.allowed + 1).min(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks as often as the ramp asks for it, for as long as `time`, with everything running and messages left.
    fn keep_busy(ramp: &mut Ramp, start: Instant, time: Duration) {
        while let Some(at) = ramp.next_look(ramp.allowed()).filter(|&at| at <= start + time) {
            ramp.message(at);
            ramp.look(true, at);
        }
    }

    #[test]
    fn it_starts_with_five_and_adds_three_hundred_a_minute() {
        let start = Instant::now();
        let mut ramp = Ramp::new(1_000, start);
        assert_eq!(ramp.allowed(), 5);
        keep_busy(&mut ramp, start, Duration::from_mins(1));
        assert_eq!(ramp.allowed(), 305);
    }

    #[test]
    fn it_reaches_twelve_within_two_seconds_and_stays_there() {
        let start = Instant::now();
        let mut ramp = Ramp::new(12, start);
        keep_busy(&mut ramp, start, Duration::from_secs(2));
        assert_eq!(ramp.allowed(), 12);
        assert_eq!(ramp.next_look(12), None);
    }

    #[test]
    fn it_never_starts_above_its_maximum() {
        assert_eq!(Ramp::new(2, Instant::now()).allowed(), 2);
    }

    #[test]
    fn it_adds_none_while_something_is_free_or_no_message_is_left() {
        let start = Instant::now();
        let mut ramp = Ramp::new(12, start);
        assert_eq!(ramp.next_look(4), None);
        ramp.look(false, start + STEP);
        assert_eq!(ramp.allowed(), 5);
        assert_eq!(ramp.next_look(5), Some(start + STEP * 2));
    }

    #[test]
    fn it_starts_over_after_a_rest() {
        let start = Instant::now();
        let mut ramp = Ramp::new(12, start);
        keep_busy(&mut ramp, start, Duration::from_secs(2));
        ramp.message(start + Duration::from_secs(61));
        assert_eq!(ramp.allowed(), 12, "the last message came within the rest");
        ramp.message(start + Duration::from_secs(121));
        assert_eq!(ramp.allowed(), 5);
    }
}

//! What stands in a queue.

use tokio::time::Instant;

use super::message::Message;

/// How many messages a queue holds, as its `Approximate…` attributes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Can be received now.
    pub visible: usize,
    /// Received, and neither deleted nor visible again.
    pub in_flight: usize,
    /// Sent with a delay that isn't over.
    pub delayed: usize,
}

impl Counts {
    pub(super) fn of<'a>(messages: impl Iterator<Item = &'a Message>, now: Instant) -> Self {
        let mut counts = Self::default();
        for message in messages {
            if message.visible_at <= now {
                counts.visible += 1;
            } else if message.receives > 0 {
                counts.in_flight += 1;
            } else {
                counts.delayed += 1;
            }
        }
        counts
    }

    /// All messages.
    pub fn total(self) -> usize {
        self.visible + self.in_flight + self.delayed
    }
}

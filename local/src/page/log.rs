//! What the functions' log said, as far back as the page remembers.

use std::collections::VecDeque;

use super::line::{Attempt, Call, Drained, read};
use crate::runtime_api::{Function, Line};

/// Attempts and calls kept, for the stories of events and devices.
const KEPT: usize = 20_000;
/// Ended drains kept.
const DRAINS: usize = 50;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) attempts: VecDeque<Attempt>,
    pub(super) drains: VecDeque<Drained>,
    pub(super) calls: VecDeque<Call>,
    /// All attempts so far that were delivered, and all others.
    pub(super) delivered: u64,
    pub(super) undelivered: u64,
    seen_of_drain: u64,
    seen_of_enqueue: u64,
}

impl Log {
    /// Takes the lines that have arrived since the last time.
    pub(super) fn follow(&mut self, drain: &Function, enqueue: &Function) {
        let (seen, lines) = drain.output().after(self.seen_of_drain);
        self.seen_of_drain = seen;
        for line in &lines {
            self.take(line);
        }
        let (seen, lines) = enqueue.output().after(self.seen_of_enqueue);
        self.seen_of_enqueue = seen;
        for call in lines.iter().filter_map(|line| read(line, "enqueue")) {
            keep(&mut self.calls, call, KEPT);
        }
    }

    fn take(&mut self, line: &Line) {
        if let Some(attempt) = read::<Attempt>(line, "attempt") {
            if attempt.is_delivered() {
                self.delivered += 1;
            } else {
                self.undelivered += 1;
            }
            keep(&mut self.attempts, attempt, KEPT);
        } else if let Some(drained) = read(line, "drain") {
            keep(&mut self.drains, drained, DRAINS);
        }
    }
}

fn keep<T>(all: &mut VecDeque<T>, one: T, most: usize) {
    if all.len() == most {
        all.pop_front();
    }
    all.push_back(one);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime_api::Stream;

    fn attempt(outcome: &str) -> Line {
        let text = format!(
            r#"{{"timestamp":"2026-11-30T23:59:59.5Z","level":"INFO","message":"attempt","event":"e","device":"d1",
                "app":"ios","outcome":"{outcome}","reason":null,"attempt":1,"age_ms":3,"request_id":"r"}}"#
        );
        Line { pid: 1, stream: Stream::Out, text }
    }

    #[test]
    fn attempts_are_counted_by_whether_they_were_delivered() {
        let mut log = Log::default();
        for outcome in ["delivered", "throttled", "delivered"] {
            log.take(&attempt(outcome));
        }
        log.take(&Line { pid: 1, stream: Stream::Out, text: "no line of ours".to_owned() });
        assert_eq!((log.delivered, log.undelivered, log.attempts.len()), (2, 1, 3));
        assert_eq!(log.attempts[1].outcome.as_deref(), Some("throttled"));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut log = Log::default();
        (0..KEPT + 5).for_each(|_| log.take(&attempt("delivered")));
        assert_eq!((log.attempts.len(), log.delivered), (KEPT, KEPT as u64 + 5));
    }
}

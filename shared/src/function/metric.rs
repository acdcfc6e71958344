//! The counters of the log lines: every name in one enum, so that a dashboard and the code can't disagree.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! metrics {
    ($($(#[$doc:meta])* $metric:ident => $name:ident,)*) => {
        /// One counter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Metric {
            $($(#[$doc])* $metric,)*
        }

        impl Metric {
            /// Every counter.
            pub const ALL: &'static [Self] = &[$(Self::$metric,)*];

            /// Its field in the log lines.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$metric => stringify!($name),)*
                }
            }
        }

        impl Counts {
            /// Logs one INFO line with a field for every counter that is not zero. `what` names the line.
            pub fn log(&self, what: &str) {
                tracing::info!($($name = self.nonzero(Metric::$metric),)* "{what}");
            }
        }
    };
}

// `tracing` takes at most 32 fields in one line.
metrics! {
    /// Heads leased by a claim.
    Claimed => claimed,
    /// Claims made.
    Claims => claims,
    /// Accepted by the provider.
    Delivered => delivered,
    /// Put back for a later attempt.
    Retried => retried,
    /// Discarded: the provider can never accept it.
    Rejected => rejected,
    /// Discarded: the token is dead.
    Unregistered => unregistered,
    /// Discarded: past its expiry.
    Expired => expired,
    /// Discarded: the product took it back.
    Dismissed => dismissed,
    /// Discarded: sent without an answer too often.
    Unanswered => unanswered,
    /// Discarded: the stored row can't be read.
    Poison => poison,
    /// Left to a newer revision that can read it.
    Newer => newer,
    /// Sends whose answer never came.
    Ambiguous => ambiguous,
    /// Refused for a reason that lies in the app's configuration.
    Misconfigured => misconfigured,
    /// Sends that panicked.
    Panicked => panicked,
    /// Finishes and renewals of a lane that was no longer ours.
    LeaseLost => lease_lost,
    /// Sends started later than their lease allows: a process suspended between check and write.
    SentLate => sent_late,
    /// Finishes tried again because the lane was locked or Postgres did not answer.
    FinishRetried => finish_retried,
    /// Apps paused.
    Paused => paused,
    /// Claims that yielded to another revision's.
    Yielded => yielded,
    /// Claims that found every due lane locked.
    Contended => contended,
    /// Wakes posted.
    WakePosted => wake_posted,
    /// Wakes that could not be posted.
    WakeFailed => wake_failed,
    /// Wakes not posted, since their lineage reached the hop cap.
    WakeCapped => wake_capped,
    /// Wakes whose body was not ours; each acts as a plain one.
    WakeMalformed => wake_malformed,
    /// Rows queued by enqueue.
    Queued => queued,
}

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

    fn nonzero(&self, metric: Metric) -> Option<u64> {
        Some(self.of(metric)).filter(|n| *n > 0)
    }
}

const _: () = assert!(Metric::ALL.len() < 32, "tracing takes at most 32 fields in one line");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_its_own_place_and_name() {
        let counts = Counts::default();
        for (n, metric) in Metric::ALL.iter().enumerate() {
            counts.add(*metric, n as u64);
        }
        for (n, metric) in Metric::ALL.iter().enumerate() {
            assert_eq!(counts.of(*metric), n as u64, "{}", metric.as_str());
        }
        let mut names: Vec<_> = Metric::ALL.iter().map(|metric| metric.as_str()).collect();
        names.dedup();
        assert_eq!(names.len(), Metric::ALL.len());
    }
}

//! The names, with their units and the dimensions they are cut by.

use super::{Dimension, Unit};

/// Of the whole stack: what an alarm can look at.
const ALL: &[Dimension] = &[];
/// Of one app.
const APP: &[Dimension] = &[Dimension::App];
/// Of one outcome of one app.
const OUTCOME: &[Dimension] = &[Dimension::App, Dimension::Outcome];

macro_rules! metrics {
    ($($(#[$doc:meta])* $metric:ident => $name:ident $unit:ident $sets:expr;)*) => {
        /// One metric. A counter among them is also the field of that name in the log lines.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Metric {
            $($(#[$doc])* $metric,)*
        }

        impl Metric {
            /// Every metric.
            pub const ALL: &'static [Self] = &[$(Self::$metric,)*];

            /// Its name at CloudWatch and in the log lines.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$metric => stringify!($name),)*
                }
            }

            /// Its unit.
            pub const fn unit(self) -> Unit {
                match self {
                    $(Self::$metric => Unit::$unit,)*
                }
            }

            /// The sets of dimensions it is written with: each makes series of its own.
            pub const fn dimensions(self) -> &'static [&'static [Dimension]] {
                match self {
                    $(Self::$metric => &$sets,)*
                }
            }
        }
    };
}

// Of a drain's invocation, unless it says otherwise; schedule's are the state of the minute, also when it is zero.
metrics! {
    /// Heads leased by a claim.
    Claimed => claimed Count [ALL, APP];
    /// Accepted by the provider.
    Delivered => delivered Count [ALL];
    /// Put back for a later attempt.
    Retried => retried Count [ALL];
    /// Discarded: the provider can never accept it.
    Rejected => rejected Count [ALL];
    /// Discarded: the token is dead.
    Unregistered => unregistered Count [ALL];
    /// Discarded: past its expiry, by a drain or by schedule's prune.
    Expired => expired Count [ALL];
    /// Discarded: the product took it back.
    Dismissed => dismissed Count [ALL];
    /// Discarded: sent without an answer too often.
    Unanswered => unanswered Count [ALL];
    /// Discarded: the stored row can't be read.
    Poison => poison Count [ALL];
    /// Left to a newer revision that can read it.
    Newer => newer Count [ALL];
    /// Sends whose answer never came.
    Ambiguous => ambiguous Count [ALL];
    /// Refused for a reason that lies in the app's configuration.
    Misconfigured => misconfigured Count [ALL];
    /// Sends that panicked.
    Panicked => panicked Count [ALL];
    /// Finishes and renewals of a lane that was no longer ours.
    LeaseLost => lease_lost Count [ALL];
    /// Sends started later than their lease allows: a process suspended between check and write.
    SentLate => sent_late Count [ALL];
    /// Finishes tried again because the lane was locked or Postgres did not answer.
    FinishRetried => finish_retried Count [ALL];
    /// Apps paused.
    Paused => paused Count [ALL];
    /// Claims that yielded to another revision's.
    Yielded => yielded Count [ALL];
    /// Claims that found every due lane locked.
    Contended => contended Count [ALL];
    /// Wakes posted, by every function.
    WakePosted => wake_posted Count [ALL];
    /// Wakes that could not be posted, by every function.
    WakeFailed => wake_failed Count [ALL];
    /// Wakes not posted, since their lineage reached the hop cap.
    WakeCapped => wake_capped Count [ALL];
    /// Wakes whose body was not ours; each acts as a plain one.
    WakeMalformed => wake_malformed Count [ALL];
    /// Drains that claimed nothing.
    EmptyDrains => empty_drains Count [ALL];
    /// The most sends a drain had in flight at once.
    InFlightPeak => in_flight_peak Count [ALL];
    /// From the moment a wake could be received to the answer of the first claim it led to.
    WakeToFirstClaim => wake_to_first_claim Milliseconds [ALL];
    /// How long the provider took to answer a send.
    SendMs => send_ms Milliseconds [APP];
    /// What became of what was claimed.
    Outcomes => outcomes Count [OUTCOME];
    /// First invocations of a process, of every function.
    ColdStarts => cold_starts Count [ALL];
    /// Rows queued by enqueue.
    Queued => queued Count [ALL];
    /// Schedule: how long the oldest due, unleased head has been due. Of the stack, paused apps are left out: their
    /// backlog is due by intention.
    OldestDueAge => oldest_due_age Seconds [ALL, APP];
    /// Schedule: apps that are paused now.
    PausedApps => paused_apps Count [ALL];
    /// Schedule: whether an app is paused now.
    AppPaused => app_paused Count [APP];
    /// Schedule: whether the prune did not get to its end, for lack of time or since it failed.
    PruneSaturated => prune_saturated Count [ALL];
    /// Schedule: the age of the oldest snapshot, behind which no vacuum can clean up.
    OldestSnapshotAge => oldest_snapshot_age Seconds [ALL];
    /// Schedule: dead rows in our tables.
    DeadTuples => dead_tuples Count [ALL];
}

impl Metric {
    /// The values of [`Dimension::Outcome`]: every head that a drain finished has exactly one of them.
    pub const OUTCOMES: [Self; 9] = [
        Self::Delivered,
        Self::Retried,
        Self::Rejected,
        Self::Unregistered,
        Self::Expired,
        Self::Dismissed,
        Self::Unanswered,
        Self::Poison,
        Self::Newer,
    ];
}

/// Series that one app more costs.
pub const SERIES_PER_APP: usize = {
    let (mut series, mut metric) = (0, 0);
    while metric < Metric::ALL.len() {
        let sets = Metric::ALL[metric].dimensions();
        let mut set = 0;
        while set < sets.len() {
            series += match sets[set] {
                [] => 0,
                [_] => 1,
                _ => Metric::OUTCOMES.len(),
            };
            set += 1;
        }
        metric += 1;
    }
    series
};

const _: () = assert!(SERIES_PER_APP <= 40, "CloudWatch bills every series");
const _: () = assert!(Metric::ALL.len() <= 100, "a directive takes at most 100 metrics");

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_metric_has_a_name_of_its_own() {
        let names: HashSet<_> = Metric::ALL.iter().map(|metric| metric.as_str()).collect();
        assert_eq!(names.len(), Metric::ALL.len());
        let dimensions = [Dimension::App, Dimension::Outcome].map(Dimension::as_str);
        assert!(dimensions.iter().all(|name| !names.contains(name)), "both are members of one object");
    }

    #[test]
    fn one_metric_alone_is_cut_by_outcome() {
        let cut = |metric: &&Metric| metric.dimensions().concat().contains(&Dimension::Outcome);
        let metrics: Vec<_> = Metric::ALL.iter().filter(cut).collect();
        assert_eq!(metrics, [&Metric::Outcomes]);
        assert_eq!(SERIES_PER_APP, 4 + Metric::OUTCOMES.len());
    }
}

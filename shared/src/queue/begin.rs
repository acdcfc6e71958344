//! What a transaction begins with.

/// `begin` with its settings, in one round trip. Time-outs are `set local`, since poolers refuse start-up options.
macro_rules! begin {
    ($($setting:literal)*) => {
        concat!(
            "begin;
             set local statement_timeout = '5s';
             set local idle_in_transaction_session_timeout = '5s';
             set local client_connection_check_interval = '1s'",
            $("; set local ", $setting,)*
        )
    };
}

/// Behind a pooler, what is its own transaction elsewhere.
pub(super) const BEGIN_ALONE: &str = begin!();

/// Claims and finishes. The planner is held to index scans by key: the statistics of a table that was empty a second
/// ago must not choose otherwise.
pub(super) const BEGIN: &str = begin!(
    "lock_timeout = '2s'" "plan_cache_mode = force_generic_plan"
    "enable_seqscan = off" "enable_hashjoin = off" "enable_mergejoin = off"
);

/// The transaction that waits for one lane: [`LANE_LOCK_TIMEOUT`](crate::limits::LANE_LOCK_TIMEOUT).
pub(super) const BEGIN_LANE: &str = begin!("lock_timeout = '250ms'");

/// Enqueues, dismissals and prunes, which wait for lanes.
pub(super) const BEGIN_WAITING: &str = begin!(
    "plan_cache_mode = force_generic_plan" "enable_seqscan = off" "enable_hashjoin = off" "enable_mergejoin = off"
);

/// A look at many rows that must agree with one another.
pub(super) const BEGIN_LOOKING: &str = begin!(
    "transaction_isolation = 'repeatable read'" "transaction_read_only = on" "plan_cache_mode = force_generic_plan"
    "enable_seqscan = off" "enable_hashjoin = off" "enable_mergejoin = off"
);

#[cfg(test)]
mod tests {
    use super::{BEGIN, BEGIN_LANE, BEGIN_WAITING};
    use crate::limits::{ENQUEUE_DEADLINE, LANE_LOCK_TIMEOUT, STATEMENT_DEADLINE};

    #[test]
    fn the_settings_say_what_the_limits_say() {
        assert!(BEGIN_LANE.contains(&format!("lock_timeout = '{}ms'", LANE_LOCK_TIMEOUT.as_millis())));
        for (begin, deadline) in
            [(BEGIN, STATEMENT_DEADLINE), (BEGIN_LANE, STATEMENT_DEADLINE), (BEGIN_WAITING, ENQUEUE_DEADLINE)]
        {
            assert!(begin.contains(&format!("statement_timeout = '{}s'", deadline.as_secs())), "{begin}");
        }
    }
}

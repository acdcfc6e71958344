//! How long an invocation may take.

use std::time::{Duration, SystemTime};

use lambda_runtime::Context;

use crate::limits::FUNCTION_TIMEOUT;

/// Longer than any function may run: a deadline beyond it was reckoned by another clock.
const LONGEST_TIMEOUT: Duration = Duration::from_mins(15);

/// Time until Lambda kills the invocation, which tells it as a moment of the wall clock. This is the one decision that
/// is made by the function's own clock.
pub fn time_left(context: &Context) -> Duration {
    left(context.deadline(), SystemTime::now())
}

/// A deadline that has passed or lies beyond any function's time-out says that this clock is off, not that no time is
/// left: the time-out itself is then the better guess.
fn left(deadline: SystemTime, now: SystemTime) -> Duration {
    let left = deadline.duration_since(now).unwrap_or_default();
    if left.is_zero() || left > LONGEST_TIMEOUT { FUNCTION_TIMEOUT } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c18_a_clock_that_is_off_does_not_take_the_time_away() {
        let now = SystemTime::now();
        assert_eq!(left(now + Duration::from_secs(30), now), Duration::from_secs(30));
        assert_eq!(left(now - Duration::from_hours(1), now), FUNCTION_TIMEOUT);
        assert_eq!(left(now + Duration::from_hours(1), now), FUNCTION_TIMEOUT);
    }
}

//! Times, as seen from the database's clock.

use time::OffsetDateTime;

/// `in 12 s`, `3 min ago`.
pub(super) fn when(time: OffsetDateTime, now: OffsetDateTime) -> String {
    let seconds = (time - now).whole_seconds();
    match seconds {
        0 => "now".to_owned(),
        1.. => format!("in {}", span(seconds)),
        _ => format!("{} ago", span(-seconds)),
    }
}

fn span(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_said_as_coarsely_as_it_is_far() {
        let now = OffsetDateTime::UNIX_EPOCH;
        for (seconds, said) in [
            (0, "now"),
            (12, "in 12 s"),
            (-119, "119 s ago"),
            (600, "in 10 min"),
            (-86_399, "23 h ago"),
            (259_200, "in 3 days"),
        ] {
            assert_eq!(when(now + time::Duration::seconds(seconds), now), said);
        }
    }
}

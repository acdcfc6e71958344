//! The processor time of the functions, as Linux tells it; elsewhere nothing is said of it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::runtime_api::Function;

/// The unit of `/proc`: a hundredth of a second on every machine (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// What the instances of each function have used since their start. A function is left out that was never started, or
/// where the machine does not say it, or where an instance has ended and taken its time along.
pub(super) fn used(functions: [&Function; 3]) -> BTreeMap<String, Duration> {
    let known = |function: &Function| {
        let pids = function.pids();
        let all = u64::try_from(pids.len()).is_ok_and(|alive| alive == function.counts().cold);
        (all && !pids.is_empty()).then(|| pids.into_iter().map(of_process).sum::<Option<Duration>>()).flatten()
    };
    functions.into_iter().filter_map(|function| Some((function.name().to_owned(), known(function)?))).collect()
}

/// Milliseconds of it for each 1,000 deliveries.
pub(super) fn per_thousand(used: BTreeMap<String, Duration>, delivered: u64) -> BTreeMap<String, f64> {
    let each = |time: Duration| (time.as_secs_f64() * 1e7 / delivered.max(1) as f64).round() / 10.0;
    used.into_iter().map(|(function, time)| (function, each(time))).collect()
}

fn of_process(pid: u32) -> Option<Duration> {
    ticks(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?).map(|ticks| TICK * ticks)
}

/// In its own code and in the kernel's. The second field is the program's name, which may hold anything.
fn ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(|field| field.parse::<u32>().ok());
    times.next()??.checked_add(times.next()??)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_those_of_the_process_whatever_its_name_is() {
        let stat = "17 (a (b) c) R 1 1 1 0 -1 4194304 100 0 0 0 42 8 99 99 20 0 3 0 5 6 7";
        assert_eq!(ticks(stat), Some(50));
        assert_eq!(ticks(""), None);
        assert_eq!(ticks("17 (short) R 1"), None);
    }

    #[test]
    fn a_second_for_two_thousand_is_half_a_second_for_each() {
        let used = BTreeMap::from([("drain".to_owned(), Duration::from_secs(1))]);
        assert_eq!(per_thousand(used.clone(), 2_000), BTreeMap::from([("drain".to_owned(), 500.0)]));
        assert_eq!(per_thousand(used, 0).len(), 1);
    }
}

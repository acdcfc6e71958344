//! Where the lines go.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

use super::Line;

/// The metrics of one process. A clone is the same process's.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// None: nothing is written.
    namespace: Option<String>,
    warm: Arc<AtomicBool>,
}

impl Metrics {
    /// Those of a process that has just started, in this namespace; without one, nothing is written.
    pub fn new(namespace: Option<String>) -> Self {
        Self { namespace, warm: Arc::default() }
    }

    /// Whether lines are written: what is measured for them alone need not be measured otherwise.
    pub fn is_on(&self) -> bool {
        self.namespace.is_some()
    }

    /// Whether this is the first invocation that asks.
    pub fn cold_start(&self) -> bool {
        !self.warm.swap(true, Relaxed)
    }

    /// Writes the lines, at once: the lock of standard output, which log lines take too, is held until the last one
    /// is out, so that no line is ever mixed with another. Past `tracing`, whose lines would wrap them.
    pub fn write(&self, lines: impl IntoIterator<Item = Line>) {
        let Some(namespace) = &self.namespace else { return };
        let text = text(namespace, milliseconds_since_1970(), lines);
        let mut out = io::stdout().lock();
        // Nobody is left to be told that standard output is gone.
        let _ = out.write_all(&text).and_then(|()| out.flush());
    }
}

fn text(namespace: &str, timestamp: u64, lines: impl IntoIterator<Item = Line>) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        line.write(namespace, timestamp, &mut text);
    }
    text
}

/// The time by this function's own clock, which CloudWatch files values under. It decides nothing about a row.
pub fn milliseconds_since_1970() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::metric::Metric;

    #[test]
    fn the_first_invocation_of_a_process_is_its_cold_start() {
        let metrics = Metrics::new(None);
        let clone = metrics.clone();
        assert_eq!([metrics.cold_start(), clone.cold_start(), metrics.cold_start()], [true, false, false]);
        assert!(!metrics.is_on() && Metrics::new(Some("Pushwake/test".to_owned())).is_on());
    }

    #[test]
    fn every_line_ends_and_one_without_values_is_none() {
        let mut one = Line::new();
        one.one(Metric::Claimed, 0);
        one.nonzero(Metric::Delivered, 0);
        let text = String::from_utf8(text("n", 7, [Line::new(), one.clone(), one])).expect("UTF-8");
        let line = r#"{"_aws":{"Timestamp":7,"CloudWatchMetrics":[{"Namespace":"n","Dimensions":[[]],"Metrics":[{"Name":"claimed","Unit":"Count"}]}]},"claimed":0}"#;
        assert_eq!(text, format!("{line}\n{line}\n"));
    }
}

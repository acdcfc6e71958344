//! The live view: a bar on a terminal, a plain line now and then elsewhere. All of it goes to standard error.

use std::collections::VecDeque;
use std::fmt;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

/// Between two lines, where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(2);
/// The rate that is shown is that of the last few seconds.
const RATE_OVER: Duration = Duration::from_secs(3);

/// How it stands at this moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// Waiting in the queue.
    pub(super) queued: u64,
    pub(super) in_flight: u64,
    pub(super) delivered: u64,
    /// The age of the oldest that waits.
    pub(super) oldest: Option<Duration>,
}

pub(super) struct View {
    bar: Option<ProgressBar>,
    total: u64,
    line_at: Instant,
    /// When how many were delivered.
    recent: VecDeque<(Instant, u64)>,
}

impl View {
    pub(super) fn new(total: u64) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {prefix}\n{msg}");
            ProgressBar::new(total).with_style(style.expect("the template is valid"))
        });
        Self { bar, total, line_at: Instant::now(), recent: VecDeque::new() }
    }

    pub(super) fn show(&mut self, standing: Standing) {
        let now = Instant::now();
        let rate = self.rate(now, standing.delivered);
        if let Some(bar) = &self.bar {
            bar.set_position(standing.delivered);
            bar.set_prefix(format!("{rate:.0}/s"));
            bar.set_message(standing.to_string());
        } else if now >= self.line_at || standing.delivered == self.total {
            self.line_at = now + LINE_EVERY;
            eprintln!("{standing}  {rate:.0}/s");
        }
    }

    /// Something to say beside it.
    pub(super) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }

    fn rate(&mut self, now: Instant, delivered: u64) -> f64 {
        self.recent.push_back((now, delivered));
        while self.recent.len() > 2 && now.duration_since(self.recent[1].0) >= RATE_OVER {
            self.recent.pop_front();
        }
        let (since, before) = self.recent[0];
        let took = now.duration_since(since).as_secs_f64();
        if took > 0.0 { (delivered - before) as f64 / took } else { 0.0 }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { queued, in_flight, delivered, oldest } = *self;
        let [queued, in_flight, delivered] = [queued, in_flight, delivered].map(HumanCount);
        let oldest = oldest.unwrap_or_default().as_secs_f64();
        write!(f, "queued {queued}  in flight {in_flight}  delivered {delivered}  oldest {oldest:.1} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let (mut view, start) = (View::new(100_000), Instant::now());
        assert!(view.rate(start, 0).abs() < 1e-6);
        let last = (1..=10).map(|second| view.rate(start + Duration::from_secs(second), second * second)).last();
        assert_eq!(last, Some((100.0 - 49.0) / 3.0));
    }
}

//! The live view: a bar for each provider on a terminal, plain lines now and then elsewhere. All of it goes to
//! standard error.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::plan::Plan;
use super::provider::Provider;
use super::rate::Rate;
use super::standing::{Part, Standing};

/// Between two looks, where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(2);
/// 75 columns at most.
const CALM: &str = "{prefix:8} {bar:16} {percent:>3}%  {msg}";
const TROUBLED: &str = "{prefix:8} {bar:16} {percent:>3}%  {msg:.yellow}";

pub(super) struct View {
    bars: Option<Bars>,
    total: u64,
    lines_at: Instant,
    rate: Rate,
    /// In the order of the plan.
    rates: Vec<Rate>,
}

/// On a terminal.
struct Bars {
    all: MultiProgress,
    summary: ProgressBar,
    /// In the order of the plan.
    each: Vec<ProgressBar>,
    calm: ProgressStyle,
    troubled: ProgressStyle,
}

impl View {
    pub(super) fn new(plan: &Plan) -> Self {
        let bars = stderr().is_terminal().then(|| Bars::new(plan));
        let rates = plan.providers.iter().map(|_| Rate::default()).collect();
        let lines_at = Instant::now() + LINES_EVERY;
        Self { bars, total: plan.notifications as u64, lines_at, rate: Rate::default(), rates }
    }

    pub(super) fn show(&mut self, standing: &Standing) {
        let now = Instant::now();
        let summary = format!("{standing}  {:.0}/s", self.rate.at(now, standing.delivered));
        let rates = self.rates.iter_mut().zip(&standing.each);
        let lines: Vec<String> = rates.map(|(rate, part)| part.line(rate.at(now, part.delivered))).collect();
        if let Some(bars) = &self.bars {
            bars.summary.set_message(summary);
            for ((bar, part), line) in bars.each.iter().zip(&standing.each).zip(lines) {
                bars.show(bar, part, line);
            }
        } else if now >= self.lines_at || standing.delivered == self.total {
            self.lines_at = now + LINES_EVERY;
            eprintln!("{summary}");
            for (part, line) in standing.each.iter().zip(lines) {
                let line = format!("  {:<8} {line}  {}", part.provider.name(), part.trouble);
                eprintln!("{}", line.trim_end());
            }
        }
    }

    /// Something to say beside it.
    pub(super) fn say(&self, text: &str) {
        match &self.bars {
            Some(bars) => bars.all.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }
}

impl Bars {
    fn new(plan: &Plan) -> Self {
        let style = |template| ProgressStyle::with_template(template).expect("the template is valid");
        let (calm, troubled) = (style(CALM), style(TROUBLED));
        let all = MultiProgress::new();
        let summary = all.add(ProgressBar::no_length().with_style(style("{msg}")));
        let bar = |provider: &Provider| {
            let bar = ProgressBar::new(plan.share(*provider) as u64).with_prefix(provider.name());
            all.add(bar.with_style(calm.clone()))
        };
        let each = plan.providers.iter().map(bar).collect();
        Self { all, summary, each, calm, troubled }
    }

    /// Trouble has a line of its own, so that all of it is seen on a terminal of 80 columns.
    fn show(&self, bar: &ProgressBar, part: &Part, line: String) {
        bar.set_position(part.delivered);
        if part.trouble.is_empty() {
            bar.set_style(self.calm.clone());
            bar.set_message(line);
        } else {
            bar.set_style(self.troubled.clone());
            bar.set_message(format!("{line}\n  {}", part.trouble));
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if let Some(bars) = &self.bars {
            bars.each.iter().chain([&bars.summary]).for_each(ProgressBar::finish_and_clear);
        }
    }
}

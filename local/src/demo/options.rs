//! What can be chosen on the command line.

use std::time::Duration;

use clap::value_parser;
use pushwake::limits::{DRAINS, SEND_TIMEOUT, WINDOW};

use super::outage::Outage;
use super::provider::Provider;
use crate::provider::Latency;

/// The slowest answer: a provider that takes longer runs into the drains' time-out for a send.
const SLOWEST: Duration = Duration::from_secs(SEND_TIMEOUT.as_secs() - 1);

/// The options of the demo.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "The demo")]
pub struct Options {
    /// Notifications to deliver in all, 1 to 1000000.
    #[arg(long, value_name = "COUNT", default_value_t = 20_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub notifications: u32,
    /// Devices they are for, 1 to 100000: each gets its share, in order.
    #[arg(long, value_name = "COUNT", default_value_t = 4_000, value_parser = value_parser!(u32).range(1..=100_000))]
    pub devices: u32,
    /// The providers of these devices, in equal shares.
    #[arg(long, value_name = "NAMES", default_value = "apns,fcm,webpush", value_delimiter = ',', value_enum)]
    pub providers: Vec<Provider>,
    /// Let a provider fail from one moment of the run to another, e.g. apns=503@2s..6s; may be given several times.
    /// Instead of a status (401, 403, 429, 500 to 599): hang (no answer), close (the connection) or refuse (streams).
    #[arg(long, value_name = "PROVIDER=WHAT@FROM..TO")]
    pub fail: Vec<Outage>,
    /// How long a simulated provider takes for an answer, on average, e.g. 100ms or 1.5s.
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = time)]
    pub latency: Duration,
    /// How far an answer may be from that, either way [default: half of it].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub spread: Option<Duration>,
    /// Sends that one drain holds in flight, 1 to 84.
    #[arg(long, value_name = "COUNT", default_value_t = WINDOW as u16, value_parser = value_parser!(u16).range(1..=WINDOW as i64))]
    pub window: u16,
    /// Drains at once, 2 to 12.
    #[arg(long, value_name = "COUNT", default_value_t = DRAINS as u16, value_parser = value_parser!(u16).range(2..=DRAINS as i64))]
    pub drains: u16,
    /// Seed of the providers' answer times, and of the wakes that come twice.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Share of the wakes that are delivered twice, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub duplicate_wakes: f64,
    /// Print the report as JSON on standard output.
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// What one option alone can't tell; the error says which to change.
    pub fn check(&self) -> Result<(), String> {
        let (latency, spread) = (self.latency, self.spread());
        if spread > latency {
            return Err(format!(
                "--spread {spread:?} exceeds --latency {latency:?}: no answer takes less than no time"
            ));
        }
        if latency.saturating_add(spread) > SLOWEST {
            let timeout = SEND_TIMEOUT;
            return Err(format!(
                "--latency and --spread together exceed {SLOWEST:?}: drains give a send up after {timeout:?}"
            ));
        }
        self.check_outages()
    }

    fn check_outages(&self) -> Result<(), String> {
        for (nth, outage) in self.fail.iter().enumerate() {
            let name = outage.provider.name();
            if !self.providers.contains(&outage.provider) {
                return Err(format!("--fail {name}: nothing is sent to it; add it to --providers"));
            }
            if self.fail[..nth].iter().any(|earlier| earlier.overlaps(outage)) {
                return Err(format!(
                    "--fail {name} is given twice for one moment; let one end before the other starts"
                ));
            }
        }
        Ok(())
    }

    /// Each once.
    pub(super) fn providers(&self) -> Vec<Provider> {
        let mut providers = Vec::new();
        for provider in &self.providers {
            if !providers.contains(provider) {
                providers.push(*provider);
            }
        }
        providers
    }

    pub(super) fn answer_times(&self) -> Latency {
        Latency::Spread(self.latency.saturating_sub(self.spread()), self.latency + self.spread())
    }

    fn spread(&self) -> Duration {
        self.spread.unwrap_or(self.latency / 2)
    }
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number with a unit, such as 100ms or 1.5s".to_owned();
    let digits = text.find(|c: char| c != '.' && !c.is_ascii_digit()).ok_or_else(expected)?;
    let number: f64 = text[..digits].parse().map_err(|_| expected())?;
    let seconds = match &text[digits..] {
        "us" => number / 1e6,
        "ms" => number / 1e3,
        "s" => number,
        _ => return Err(expected()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1, such as 0.1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(time("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("0s"), Ok(Duration::ZERO));
        for wrong in ["", "100", "ms", "1 s", "-1s", "1m", "1.2.3s", "99999999999999999999999s", "NaNs"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_share_lies_between_nothing_and_everything() {
        assert_eq!(share("0.25"), Ok(0.25));
        for wrong in ["", "1.1", "-0.1", "NaN", "10%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}

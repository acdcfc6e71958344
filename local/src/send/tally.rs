//! What became of all of them.

use std::collections::BTreeMap;
use std::fmt;

use pushwake::contract::Status;

use super::call::{Ended, Placed};
use crate::terminal::count;

/// Counts of requests and devices.
#[derive(Debug, Default)]
pub(super) struct Tally {
    requests: u64,
    sent: u64,
    malformed: u64,
    failed: u64,
    devices: BTreeMap<Status, u64>,
    refused: bool,
}

impl Tally {
    pub(super) fn of(requests: usize) -> Self {
        Self { requests: requests as u64, ..Self::default() }
    }

    pub(super) fn add(&mut self, placed: &Placed, ended: &Ended) {
        match ended {
            Ended::Malformed(_) => self.malformed += 1,
            Ended::Failed(_) => self.failed += 1,
            Ended::Answered(response) => {
                self.sent += 1;
                let dismissing = placed.peek().kind.as_deref() == Some("dismiss");
                for result in &response.results {
                    *self.devices.entry(result.status).or_default() += 1;
                    self.refused |= !is_well(result.status, dismissing);
                }
            }
        }
    }

    /// Whether everything is queued, now or by an earlier send.
    pub(super) fn is_well(&self) -> bool {
        self.sent == self.requests && !self.refused
    }
}

pub(super) fn is_well(status: Status, dismissing: bool) -> bool {
    matches!(status, Status::Queued | Status::Duplicate) || (dismissing && status == Status::Dismissed)
}

pub(super) fn word(status: Status) -> &'static str {
    match status {
        Status::Queued => "queued",
        Status::Duplicate => "duplicate",
        Status::Conflict => "conflict",
        Status::Unregistered => "unregistered",
        Status::RateLimited => "rate_limited",
        Status::Expired => "expired",
        Status::Dismissed => "dismissed",
        Status::Invalid => "invalid",
        Status::Other => "unknown",
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sent", count(self.sent, "request"))?;
        let not_sent = self.requests - self.sent - self.malformed - self.failed;
        for (n, what) in [(self.malformed, "malformed"), (self.failed, "failed"), (not_sent, "not sent")] {
            if n > 0 {
                write!(f, ", {n} {what}")?;
            }
        }
        let mut before = "; devices: ";
        for (status, n) in &self.devices {
            write!(f, "{before}{n} {}", word(*status))?;
            before = ", ";
        }
        Ok(())
    }
}

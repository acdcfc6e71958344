//! The lines of a call: how many devices got which answer, and nothing of what was said to them.

use std::time::Duration;

use pushwake::contract::{Call, Response, Status, WakeStatus};
use pushwake::function::metric::{Line, Metric};

/// Logs the line of a call. Its ids are left out where the call itself is at fault, since they may be the fault.
pub(crate) fn call(call: Option<&Call>, response: &Response, took: Duration) {
    let n = |status| Some(with(response, status)).filter(|n| *n > 0);
    tracing::info!(
        source = call.map(|call| call.source.as_str()),
        event = call.map(|call| call.payload.event.as_str()),
        kind = call.map(|call| call.payload.kind.as_str()),
        devices = response.results.len(),
        queued = n(Status::Queued),
        duplicate = n(Status::Duplicate),
        conflict = n(Status::Conflict),
        unregistered = n(Status::Unregistered),
        rate_limited = n(Status::RateLimited),
        expired = n(Status::Expired),
        dismissed = n(Status::Dismissed),
        invalid = n(Status::Invalid),
        wake_posted = (response.wake == WakeStatus::Posted).then_some(1),
        wake_failed = (response.wake == WakeStatus::Failed).then_some(1),
        ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        "enqueue"
    );
}

/// The metrics of a call.
pub(crate) fn measured(response: &Response, cold_start: bool) -> Line {
    let mut line = Line::new();
    line.nonzero(Metric::Queued, with(response, Status::Queued) as u64);
    line.nonzero(Metric::WakePosted, (response.wake == WakeStatus::Posted).into());
    line.nonzero(Metric::WakeFailed, (response.wake == WakeStatus::Failed).into());
    line.nonzero(Metric::ColdStarts, cold_start.into());
    line
}

fn with(response: &Response, status: Status) -> usize {
    response.results.iter().filter(|result| result.status == status).count()
}

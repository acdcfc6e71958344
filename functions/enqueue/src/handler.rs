//! One call: read, spend the quota, queue, commit, wake, answer.

use std::time::{Duration, Instant};

use pushwake::app::Apps;
use pushwake::contract::{self, Call, Kind, Reading, Registration, Response, WakeStatus};
use pushwake::function::Failure;
use pushwake::function::metric::Metrics;
use pushwake::queue::{Batch, BatchDevice, Queue, QueueError, WakeAt};
use pushwake::wake::{Wake, WakeQueue, Why};
use serde_json::value::RawValue;

use crate::answer::{self, Verdict};
use crate::error::{invalid, unavailable};
use crate::log;

/// The handler, with the clients it keeps between invocations.
pub struct Enqueue {
    /// The queue.
    pub queue: Queue,
    /// The queue of the wakes.
    pub wake_queue: WakeQueue,
    /// The apps a device may name.
    pub apps: Apps,
    /// Notifications one source may queue within [`QUOTA_WINDOW`](pushwake::limits::QUOTA_WINDOW).
    pub source_quota: Option<i64>,
    /// Life of a notification that names no end of it.
    pub default_life: Duration,
    /// Where it writes what it has counted.
    pub metrics: Metrics,
}

impl Enqueue {
    /// Answers one call.
    pub async fn handle(&self, request: &RawValue) -> Result<Response, Failure> {
        let started = Instant::now();
        let Reading { call, devices, warnings } =
            contract::read(request.get(), &self.apps).map_err(|fault| invalid(&fault))?;
        for warning in warnings {
            tracing::warn!(field = warning.field, reason = warning.reason, "a notification may be refused later on");
        }
        let (verdicts, wake) = match &call {
            Ok(call) => {
                let valid: Vec<&Registration> = devices.iter().filter_map(|d| d.registration.as_ref().ok()).collect();
                self.queue(call, &valid).await.map_err(|error| unavailable(&error))?
            }
            Err(_) => (Vec::new(), WakeStatus::NotNeeded),
        };
        let response = answer::response(devices, verdicts, wake);
        log::call(call.as_ref().ok(), &response, started.elapsed());
        self.metrics.write([log::measured(&response, self.metrics.cold_start())]);
        Ok(response)
    }

    /// Queues for the valid devices; one verdict for each.
    async fn queue(&self, call: &Call, valid: &[&Registration]) -> Result<(Vec<Verdict>, WakeStatus), QueueError> {
        if valid.is_empty() {
            return Ok((Vec::new(), WakeStatus::NotNeeded));
        }
        if let Some(limit) = self.exceeded_quota(call, valid.len()).await? {
            return Ok((vec![Verdict::quota(limit); valid.len()], WakeStatus::NotNeeded));
        }
        let enqueued = self.queue.enqueue(&batch(call, valid, self.default_life)).await?;
        // After the commit: a drain that this wakes must see the rows.
        let wake = self.wake(enqueued.wake).await;
        Ok((enqueued.answers.into_iter().map(Verdict::from).collect(), wake))
    }

    /// Spends the source's quota. A dismissal is free: it must work when a source has sent too much already.
    async fn exceeded_quota(&self, call: &Call, n: usize) -> Result<Option<i64>, QueueError> {
        match self.source_quota {
            Some(limit) if call.payload.kind != Kind::Dismiss => {
                Ok((!self.queue.spend_quota(&call.source, n, limit).await?).then_some(limit))
            }
            _ => Ok(None),
        }
    }

    async fn wake(&self, at: WakeAt) -> WakeStatus {
        let delay = match at {
            WakeAt::Now => Duration::ZERO,
            WakeAt::After(delay) => delay,
            WakeAt::NotNeeded => return WakeStatus::NotNeeded,
        };
        match self.wake_queue.post(Wake::first(Why::Enqueue), delay).await {
            Ok(_) => WakeStatus::Posted,
            // Never the call's error: the rows are committed, and schedule finds them.
            Err(error) => {
                tracing::error!(%error, "no wake was posted for what is queued");
                WakeStatus::Failed
            }
        }
    }
}

fn batch(call: &Call, valid: &[&Registration], life: Duration) -> Batch {
    let device = |registration: &&Registration| BatchDevice {
        app: registration.app.clone(),
        device: registration.device.clone(),
        target: registration.target.to_json(),
        token_hash: registration.target.hash(),
        registered_at: registration.registered_at,
    };
    Batch {
        source: call.source.clone(),
        event: call.payload.event.clone(),
        kind: call.payload.kind,
        payload: call.payload.to_json(),
        fingerprint: call.fingerprint(),
        life,
        send_at: call.send_at,
        expires_at: call.expires_at,
        devices: valid.iter().map(device).collect(),
    }
}

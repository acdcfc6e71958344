//! The statements of a drain: each a future of its own that is polled to its end, never dropped half-way.

use std::pin::Pin;

use pushwake::contract::AppId;
use pushwake::queue::{Claim, Finished, Probe, Queue, QueueError, Want};
use tokio::time::Instant;

use crate::attempt::Unfinished;
use crate::outcome::Reason;
use crate::settle::{Settle, Settled};
use crate::window::Flush;

/// A statement under way.
pub type Pending = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// What a claim is made for.
pub enum Of {
    /// Every app that may be claimed from.
    All,
    /// Some of them, although the window is full.
    Aside,
    /// The probe of one app, which is ours.
    Probe {
        app: AppId,
        /// What it is paused for.
        reason: Reason,
    },
}

/// What Postgres answered.
pub enum Answer {
    Claim {
        of: Of,
        /// Before it was sent: from then on the leases run.
        sent: Instant,
        claim: Result<Claim, QueueError>,
    },
    Finish {
        batch: Vec<Unfinished>,
        finished: Result<Vec<Finished>, QueueError>,
    },
    Settle(Settled),
    Probes {
        ours: Vec<(AppId, Reason)>,
        error: Option<QueueError>,
    },
}

/// Waits for the statement under way, if there is one.
pub async fn answer_of(under_way: &mut Option<Pending>) -> Answer {
    match under_way {
        Some(statement) => statement.await,
        None => std::future::pending().await,
    }
}

pub fn claim(queue: Queue, of: Of, apps: Vec<AppId>, n: usize, turn: u32) -> Pending {
    Box::pin(async move {
        let sent = Instant::now();
        let probe = matches!(of, Of::Probe { .. });
        let claim = queue.claim(&Want { apps: &apps, n, turn, probe }).await;
        Answer::Claim { of, sent, claim }
    })
}

pub fn finish(queue: Queue, flush: Flush) -> Pending {
    Box::pin(async move {
        match flush {
            Flush::Together(batch) => {
                let steps: Vec<_> = batch.iter().map(|one| one.finish.clone()).collect();
                let finished = queue.finish(&steps).await;
                Answer::Finish { batch, finished }
            }
            Flush::Alone(one) => {
                let finished = queue.finish_waiting(&one.finish).await.map(|finished| vec![finished]);
                Answer::Finish { batch: vec![*one], finished }
            }
        }
    })
}

pub fn settle(queue: Queue, settle: Settle) -> Pending {
    Box::pin(async move { Answer::Settle(settle.write(&queue).await) })
}

pub fn take_probes(queue: Queue, apps: Vec<AppId>) -> Pending {
    Box::pin(async move {
        let mut ours = Vec::new();
        for app in apps {
            match queue.take_probe(&app).await {
                Ok(Probe::Ours { reason }) => ours.push((app, reason.into())),
                Ok(Probe::NotOurs) => {}
                Err(error) => return Answer::Probes { ours, error: Some(error) },
            }
        }
        Answer::Probes { ours, error: None }
    })
}

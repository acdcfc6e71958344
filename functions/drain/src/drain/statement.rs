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

/// What Postgres answered.
pub enum Answer {
    Claim {
        /// Before it was sent: from then on the leases run.
        sent: Instant,
        /// The app whose probe it claimed for, and what it is paused for.
        probe: Option<(AppId, Reason)>,
        claim: Result<Claim, QueueError>,
    },
    /// Of some of the apps only.
    ClaimAside {
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

pub fn claim(queue: Queue, apps: Vec<AppId>, n: usize, turn: u32) -> Pending {
    Box::pin(async move {
        let sent = Instant::now();
        let claim = queue.claim(&Want { apps: &apps, n, turn, probe: false }).await;
        Answer::Claim { sent, probe: None, claim }
    })
}

/// Claims for apps that may although the window is full.
pub fn claim_aside(queue: Queue, apps: Vec<AppId>, n: usize, turn: u32) -> Pending {
    Box::pin(async move {
        let sent = Instant::now();
        let claim = queue.claim(&Want { apps: &apps, n, turn, probe: false }).await;
        Answer::ClaimAside { sent, claim }
    })
}

/// Claims one head of an app whose probe is ours.
pub fn claim_probe(queue: Queue, app: AppId, reason: Reason, turn: u32) -> Pending {
    Box::pin(async move {
        let sent = Instant::now();
        let claim = queue.claim(&Want { apps: std::slice::from_ref(&app), n: 1, turn, probe: true }).await;
        Answer::Claim { sent, probe: Some((app, reason)), claim }
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

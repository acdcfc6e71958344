//! The product Lambdas of the demo: they invoke enqueue, several at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pushwake::contract::{Response, Status};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::DemoError;
use super::devices::Devices;
use super::plan::{Call, Plan};
use super::track::Track;
use crate::runtime_api::{Function, Invocation};

/// Callers at once, and instances of enqueue.
pub(super) const CALLERS: usize = 4;
/// Times that a call is made before its error ends the demo.
const TRIES: u32 = 5;
/// Pause before a call is made again, growing with its tries.
const AGAIN: Duration = Duration::from_millis(200);
/// Pause before the devices are named again that have too much pending.
const PENDING: Duration = Duration::from_millis(100);

/// Queues everything of the plan.
pub(super) async fn queue_all(
    enqueue: &Function,
    plan: &Arc<Plan>,
    devices: &Arc<Devices>,
    track: &Arc<Track>,
) -> Result<(), DemoError> {
    let mut callers = JoinSet::<Result<(), DemoError>>::new();
    for turn in 0..CALLERS {
        let (enqueue, track) = (enqueue.clone(), track.clone());
        let (plan, devices) = (plan.clone(), devices.clone());
        callers.spawn(async move {
            for call in plan.calls(turn, CALLERS) {
                queue(&enqueue, &plan, &devices, &track, call).await?;
            }
            Ok(())
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
    }
    Ok(())
}

/// Makes a call, and again with what was refused for now, until all of it is queued.
async fn queue(enqueue: &Function, plan: &Plan, devices: &Devices, track: &Track, call: Call) -> Result<(), DemoError> {
    let mut left: Vec<usize> = call.devices.collect();
    while !left.is_empty() {
        let (handed, response) = answered(enqueue, devices, call.n, &left).await?;
        let mut refused = Vec::new();
        let mut queued = Vec::new();
        for (device, result) in left.iter().copied().zip(response.results) {
            match result.status {
                // A duplicate of an earlier try, whose answer was lost.
                Status::Queued | Status::Duplicate => queued.push(plan.place(call.n, device)),
                Status::RateLimited => refused.push(device),
                status => return Err(DemoError::Refused { status, reason: result.reason }),
            }
        }
        track.queued(handed, queued);
        if !refused.is_empty() {
            sleep(PENDING).await;
        }
        left = refused;
    }
    Ok(())
}

/// Invokes until there is an answer, as a product does: the same event again never queues twice.
async fn answered(
    enqueue: &Function,
    devices: &Devices,
    n: usize,
    left: &[usize],
) -> Result<(Instant, Response), DemoError> {
    let request = serde_json::to_vec(&devices.request(n, left)).expect("a request is JSON");
    let handed = Instant::now();
    let mut tries = 0;
    loop {
        tries += 1;
        match enqueue.invoke(request.clone()).await.json::<Response>() {
            Ok(response) if response.results.len() == left.len() => return Ok((handed, response)),
            Ok(_) => return Err(DemoError::Enqueue(Box::new(short()))),
            Err(ended) if tries == TRIES => return Err(DemoError::Enqueue(Box::new(ended))),
            Err(_) => sleep(AGAIN * tries).await,
        }
    }
}

fn short() -> Invocation {
    let message = "it answered for fewer devices than it was asked about".to_owned();
    Invocation::FunctionError { kind: "Local.UnexpectedAnswer".to_owned(), message }
}

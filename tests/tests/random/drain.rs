//! A drain that sends to the ledger, and has every accident a drain can have.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pushwake::contract::AppId;
use pushwake::limits::UNANSWERED;
use pushwake::queue::{Claim, Finish, Finished, Found, Head, Queue, Renewal, Step, Want};
use rand::Rng;
use rand::rngs::StdRng;
use tests::drive::{APP, retry};

use crate::World;

pub async fn run(world: Arc<World>, n: u64) {
    let mut rng = world.rng(n);
    let (queue, renewals) = (world.database.queue(1), world.database.queue(1));
    let apps = [AppId::from(APP)];
    let mut turn = 0;
    while !world.over.load(Ordering::SeqCst) {
        turn += 1;
        let claimed_at = Instant::now();
        let claim = queue.claim(&Want { apps: &apps, n: rng.random_range(1..=6), turn, probe: false }).await;
        match claim.expect("a claim waits for nobody") {
            Claim::Claimed(claimed) => {
                note_live(&world, &claimed.heads, claimed_at);
                fly(&world, &queue, &renewals, claimed.heads, &mut rng).await;
            }
            Claim::Empty | Claim::Yielded | Claim::Contended => {
                tokio::time::sleep(Duration::from_millis(rng.random_range(1..15))).await;
            }
        }
    }
}

/// What was dismissed before the claim must not come back live; the silent push of the dismissal may.
fn note_live(world: &World, heads: &[Head], claimed_at: Instant) {
    for head in heads {
        if let Found::Live(found) = &head.found
            && found.kind != "dismiss"
        {
            world.ledger.live(found.event.as_str(), head.lease.device.as_str(), claimed_at);
        }
    }
}

async fn fly(world: &World, queue: &Queue, renewals: &Queue, heads: Vec<Head>, rng: &mut StdRng) {
    let leases: Vec<_> = heads.iter().map(|head| head.lease.clone()).collect();
    let mut accident = |one_in| !world.calm.load(Ordering::SeqCst) && rng.random_ratio(1, one_in);
    if accident(15) {
        // dies between its claim and its first send
        for lease in &leases {
            world.ledger.died(lease);
        }
        return;
    }
    if accident(15) {
        // suspended for longer than a lease: it must not send any more, and what it finishes is lost or still its own
        world.database.end_leases_of_the_dead(&leases.iter().map(|lease| lease.token).collect::<Vec<_>>()).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        let late: Vec<Finish> =
            leases.iter().map(|lease| step(lease, Step::Release { after: Duration::ZERO })).collect();
        queue.finish(&late).await.expect("a late finish is an answer");
        return;
    }
    let mut batch = Vec::new();
    let mut flying = Vec::new();
    for head in &heads {
        match decide(head) {
            Decision::Send => {
                world.ledger.take_off(&head.lease);
                flying.push(head);
            }
            Decision::Finish(step_of_it) => batch.push(step(&head.lease, step_of_it)),
        }
    }
    tokio::time::sleep(Duration::from_millis(rng.random_range(1..8))).await;
    for renewal in renewals.renew(&leases).await.expect("a renewal waits for nobody") {
        assert_ne!(renewal, Renewal::Lost, "nobody took a lease that had not run out");
    }
    let dies = !world.calm.load(Ordering::SeqCst) && rng.random_ratio(1, 20);
    for head in &flying {
        if let Some(step_of_it) = answer(world, head, rng) {
            batch.push(step(&head.lease, step_of_it));
        }
        world.ledger.land(&head.lease);
    }
    if dies {
        // after the answers, before the finish
        for lease in &leases {
            world.ledger.died(lease);
        }
        return;
    }
    finish(queue, batch, !world.calm.load(Ordering::SeqCst) && rng.random_ratio(1, 5)).await;
}

enum Decision {
    Send,
    Finish(Step),
}

fn decide(head: &Head) -> Decision {
    match &head.found {
        Found::Live(_) if head.unanswered > UNANSWERED * 10 => Decision::Finish(Step::Discard),
        Found::Live(_) => Decision::Send,
        Found::Expired(_) => Decision::Finish(Step::Expire),
        Found::Dismissed(_) => Decision::Finish(Step::Discard),
        Found::Newer(_) | Found::Missing => panic!("a lane without its row: {head:?}"),
    }
}

/// The provider's answer.
fn answer(world: &World, head: &Head, rng: &mut StdRng) -> Option<Step> {
    let Found::Live(found) = &head.found else { return None };
    let (event, device) = (found.event.as_str(), head.lease.device.as_str());
    Some(match rng.random_range(0..10) {
        0 => retry(Duration::from_secs(30)),
        1 => Step::Retry { after: Duration::from_millis(5), answered: false },
        2 => {
            world.ledger.answered(&head.lease);
            world.ledger.discarded(event, device);
            Step::Discard
        }
        _ => {
            world.ledger.answered(&head.lease);
            world.ledger.delivered(event, device);
            Step::Complete
        }
    })
}

fn step(lease: &pushwake::queue::Lease, step: Step) -> Finish {
    Finish { lease: lease.clone(), step, rest: None }
}

/// Finishes until nothing is skipped; with `lost_answer`, as if the first commit's answer had been lost.
async fn finish(queue: &Queue, mut batch: Vec<Finish>, lost_answer: bool) {
    if lost_answer {
        queue.finish(&batch).await.expect("a finish waits for nobody");
    }
    while !batch.is_empty() {
        let finished = queue.finish(&batch).await.expect("a finish waits for nobody");
        batch = batch.into_iter().zip(finished).filter(|(_, of)| *of == Finished::Skipped).map(|(it, _)| it).collect();
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

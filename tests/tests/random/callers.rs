//! Callers: enqueue, enqueue again, dismiss.

use std::sync::Arc;

use pushwake::queue::{Answer, Batch, Kind};
use rand::Rng;
use rand::seq::IndexedRandom;
use tests::drive::{batch, device};

use crate::{CALLS, DEVICES, World};

pub async fn run(world: Arc<World>, caller: usize) {
    let mut rng = world.rng(1_000 + caller as u64);
    let queue = world.database.queue(1);
    let devices: Vec<String> = (0..DEVICES).map(|n| format!("d{n}")).collect();
    let mut calls: Vec<Batch> = Vec::new();
    for n in 0..CALLS {
        let wanted: Vec<&String> = devices.choose_multiple(&mut rng, 5).collect();
        let mut call = batch(&format!("{caller}-{n}"), &[]);
        call.devices = wanted.iter().map(|id| device(tests::drive::APP, id)).collect();
        if let Some(earlier) = calls.choose(&mut rng).filter(|_| rng.random_ratio(1, 4)) {
            call = earlier.clone();
            if rng.random_ratio(1, 2) {
                call.kind = Kind::Dismiss;
            }
        }
        let answers = queue.enqueue(&call).await.expect("callers wait for stuck lanes").answers;
        for (device, answer) in call.devices.iter().zip(answers) {
            match answer {
                Answer::Queued => world.ledger.queued(call.event.as_str(), device.device.as_str()),
                Answer::Dismissed => world.ledger.dismissed(call.event.as_str(), device.device.as_str()),
                Answer::Duplicate | Answer::RateLimited => {}
                answer => panic!("{answer:?}"),
            }
        }
        calls.push(call);
    }
}

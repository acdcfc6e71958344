//! The incident that this product answers: arrivals a little faster than few narrow drains can send, for longer than
//! a notification lives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use drain::outcome::Outcome;
use pushwake::function::metric::Metric;
use pushwake::limits::{DRAINS, WINDOW};
use pushwake::queue::Batch;
use tests::drive::{batch, from_now};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::setup::{Setup, run};

/// Arrivals, one every 20 ms: four drains that take 100 ms for each can't keep up, twelve can.
const ARRIVALS: usize = 500;
const EVERY: Duration = Duration::from_millis(20);
const LIFE_S: i64 = 2;

/// How many expire, of those that so many drains of such a window send at 100 ms each.
async fn expired(drains: usize, window: usize) -> u64 {
    let setup = Arc::new(Setup::new().await);
    let over = Arc::new(AtomicBool::new(false));
    let mut draining = JoinSet::new();
    for _ in 0..drains {
        let (setup, over) = (setup.clone(), over.clone());
        let mut drain = setup.drain(|_, _| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Outcome::Delivered
        });
        drain.window = window;
        draining.spawn(async move {
            let (mut delivered, mut expired) = (0, 0);
            // Every end is followed by the next wake, until one that comes after the last arrival finds nothing.
            loop {
                let last = over.load(Ordering::SeqCst);
                let summary = run(&mut drain).await;
                delivered += summary.counts.of(Metric::Delivered);
                expired += summary.counts.of(Metric::Expired);
                if last && summary.counts.of(Metric::Claimed) == 0 {
                    return (delivered, expired);
                }
                tokio::time::sleep(EVERY).await;
            }
        });
    }
    let mut arrivals = interval(EVERY);
    arrivals.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for n in 0..ARRIVALS {
        arrivals.tick().await;
        let device = format!("d{n}");
        let arrival = Batch { expires_at: Some(from_now(LIFE_S)), ..batch(&format!("e{n}"), &[&device]) };
        setup.queue.enqueue(&arrival).await.expect("an enqueue");
    }
    over.store(true, Ordering::SeqCst);
    let (delivered, expired) =
        draining.join_all().await.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert_eq!((delivered + expired, setup.left().await), (ARRIVALS as u64, 0), "whatever expires is counted");
    expired
}

#[tokio::test(flavor = "multi_thread")]
async fn c51_twelve_drains_of_one_send_each_expire_none() {
    assert_eq!(expired(DRAINS, 1).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn c51_four_drains_of_one_send_each_expire_some() {
    assert_ne!(expired(4, 1).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn c51_one_drain_of_the_default_window_expires_none() {
    assert_eq!(expired(1, WINDOW).await, 0);
}

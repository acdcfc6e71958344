//! Pauses: an app that fails as a whole is left alone until one probe says otherwise.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drain::drain::Drain;
use drain::outcome::Outcome;
use pushwake::function::metric::Metric;
use pushwake::wake::Why;
use tests::drive::{APP, batch, device};

use crate::setup::{Setup, counted, run};

const BROKEN: &str = "broken";

/// Two apps; while `fails`, one of them is misconfigured.
fn two_apps(setup: &Setup, fails: &Arc<AtomicBool>) -> Drain {
    let fails = fails.clone();
    setup.drain_of(&[APP, BROKEN], move |lease, _| {
        let fails = fails.load(Ordering::SeqCst) && lease.app.as_str() == BROKEN;
        async move {
            if fails { Outcome::Misconfigured { reason: "InvalidProviderToken".into() } } else { Outcome::Delivered }
        }
    })
}

async fn enqueue_both(setup: &Setup, devices: usize) {
    let devices = (0..devices).flat_map(|n| [device(APP, &format!("d{n}")), device(BROKEN, &format!("b{n}"))]);
    let both = pushwake::queue::Batch { devices: devices.collect(), ..batch("e1", &[]) };
    setup.queue.enqueue(&both).await.expect("an enqueue");
}

async fn end_pause(setup: &Setup) {
    setup.database.execute("update pauses set until = clock_timestamp() - interval '1 ms'").await;
    setup.database.make_due().await;
}

fn to_broken(setup: &Setup) -> usize {
    setup.calls().iter().filter(|(device, _)| device.starts_with('b')).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misconfigured_app_is_paused_alone_and_its_rows_stay() {
    let setup = Setup::new().await;
    enqueue_both(&setup, 30).await;
    let mut drain = two_apps(&setup, &Arc::new(AtomicBool::new(true)));
    drain.window = 8;
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Paused]), [30, 1]);
    assert_eq!(setup.left().await, 30);
    assert!(to_broken(&setup) <= 8, "one window at most: {}", to_broken(&setup));
    assert_eq!(setup.database.count("select step::bigint from pauses where app = 'broken'").await, 0);
    let wakes = setup.wakes();
    assert!(wakes.contains(&(Why::Retry, 1, 10)), "the end of the pause has its wake: {wakes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_probe_is_sent_after_a_pause_and_decides_for_all() {
    let setup = Setup::new().await;
    enqueue_both(&setup, 20).await;
    let fails = Arc::new(AtomicBool::new(true));
    let mut drain = two_apps(&setup, &fails);
    run(&mut drain).await;
    let before = to_broken(&setup);
    assert_eq!(to_broken(&setup), before, "a paused app is not claimed from");

    end_pause(&setup).await;
    let summary = run(&mut drain).await;
    assert_eq!(
        (to_broken(&setup), summary.counts.of(Metric::Paused)),
        (before + 1, 1),
        "one probe, and a longer pause"
    );
    assert_eq!(setup.database.count("select step::bigint from pauses where app = 'broken'").await, 1);

    end_pause(&setup).await;
    fails.store(false, Ordering::SeqCst);
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered]), [20], "the probe, and then the others in the same drain");
    assert_eq!((setup.left().await, setup.database.count("select count(*) from pauses").await), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_that_finds_nothing_gives_its_turn_back() {
    let setup = Setup::new().await;
    setup
        .database
        .execute("insert into pauses (app, until, reason, step) values ('broken', '-infinity', 'x', 0)")
        .await;
    let mut drain = two_apps(&setup, &Arc::new(AtomicBool::new(false)));
    run(&mut drain).await;
    assert_eq!(setup.database.count("select count(*) from pauses where probe_until = '-infinity'").await, 1);
    assert_eq!(setup.wakes(), [], "whoever enqueues next posts the wake");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_that_claims_an_expired_head_claims_again() {
    let setup = Setup::new().await;
    enqueue_both(&setup, 3).await;
    setup
        .database
        .execute("insert into pauses (app, until, reason, step) values ('broken', '-infinity', 'x', 0)")
        .await;
    setup
        .database
        .execute("update notifications set expires_at = clock_timestamp() where app = 'broken' and device <> 'b2'")
        .await;
    let summary = run(&mut two_apps(&setup, &Arc::new(AtomicBool::new(false)))).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Expired]), [4, 2]);
    assert_eq!(setup.database.count("select count(*) from pauses").await, 0, "the live one was the probe");
}

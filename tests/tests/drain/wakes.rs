//! The wakes a drain posts, and those it doesn't.

use std::time::Duration;

use drain::Ended;
use drain::drain::Invocation;
use drain::outcome::Outcome;
use pushwake::function::metric::Metric;
use pushwake::limits::{CLAIM_ATTEMPTS, HOP_CAP};
use pushwake::wake::{Wake, Why};
use tests::barrier::Held;

use crate::setup::{Setup, counted, deliver, invocation, run};

const UNAVAILABLE_FOR_16_S: Outcome = Outcome::Unavailable {
    reason: std::borrow::Cow::Borrowed("ServiceUnavailable"),
    retry_after: Some(Duration::from_secs(16)),
};

/// A drain that may claim for a fifth of a second.
fn short() -> Invocation {
    Invocation { remaining: Duration::from_millis(20_200), ..invocation() }
}

async fn slow(_: pushwake::queue::Lease, _: pushwake::queue::Notification) -> Outcome {
    tokio::time::sleep(Duration::from_millis(60)).await;
    Outcome::Delivered
}

async fn backlog(setup: &Setup, devices: usize) {
    let devices: Vec<String> = (0..devices).map(|n| format!("d{n}")).collect();
    setup.enqueue("e1", &devices.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c23_a_retry_in_silence_has_its_own_wake_and_other_drains_add_none() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    let mut drain = setup.drain(|_, _| async { UNAVAILABLE_FOR_16_S });
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Retried, Metric::WakePosted]), [1, 1]);
    assert_eq!(setup.wakes(), [(Why::Retry, 1, 16)]);
    for _ in 0..3 {
        run(&mut drain).await;
    }
    assert_eq!(setup.wakes().len(), 1, "a drain that retried nothing posts nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn c46_a_device_rests_for_the_providers_delay_even_when_its_head_is_given_up() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    setup.enqueue("e2", &["d1"]).await;
    setup
        .database
        .execute("update notifications set expires_at = clock_timestamp() + interval '10 s' where event = 'e1'")
        .await;
    let summary = run(&mut setup.drain(|_, _| async { UNAVAILABLE_FOR_16_S })).await;
    assert_eq!(counted(&summary, [Metric::Expired, Metric::Claimed]), [1, 1]);
    assert_eq!((setup.calls().len(), setup.wakes()), (1, vec![(Why::Retry, 1, 16)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_that_ends_with_work_left_continues() {
    let setup = Setup::new().await;
    backlog(&setup, 200).await;
    let mut drain = setup.drain(slow);
    drain.window = 4;
    let continued = Invocation { wake: Wake { why: Why::Continue, hop: 6 }, ..short() };
    let summary = drain.run(continued).await.expect("success, though work is left");
    assert_eq!((summary.ended, summary.unfinished), (Ended::Budget, 0));
    assert_eq!(summary.counts.of(Metric::Delivered), setup.calls().len() as u64, "what was in flight is finished");
    assert!(setup.left().await > 0);
    assert_eq!(setup.wakes(), [(Why::Continue, 7, 0)], "and a continuation recruits nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_window_recruits_once() {
    let setup = Setup::new().await;
    backlog(&setup, 40).await;
    let mut drain = setup.drain(slow);
    drain.window = 8;
    let summary = run(&mut drain).await;
    assert_eq!((summary.ended, summary.counts.of(Metric::Delivered)), (Ended::Idle, 40));
    assert_eq!(setup.wakes(), [(Why::Recruit, 1, 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn c26_no_wake_goes_beyond_the_hop_cap() {
    let setup = Setup::new().await;
    backlog(&setup, 200).await;
    let mut drain = setup.drain(slow);
    drain.window = 4;
    let last = Invocation { wake: Wake { why: Why::Continue, hop: HOP_CAP }, ..short() };
    let summary = drain.run(last).await.expect("success");
    assert_eq!(counted(&summary, [Metric::WakeCapped, Metric::WakePosted]), [1, 0]);
    assert_eq!(setup.wakes(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn c47_a_drain_that_yields_comes_back_a_second_later() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    let key = pushwake::queue::lock_keys::CLAIM;
    let other = Held::new(&setup.database, &format!("select pg_advisory_xact_lock({key})")).await;
    let mut drain = setup.drain(deliver);
    let summary = run(&mut drain).await;
    assert_eq!(summary.ended, Ended::Yielded);
    assert_eq!(counted(&summary, [Metric::Yielded, Metric::Claimed]), [CLAIM_ATTEMPTS as u64, 0]);
    assert_eq!(setup.wakes(), [(Why::Yield, 1, 1)]);
    other.commit().await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Delivered]), [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn c20_a_wake_queue_that_fails_costs_two_seconds_and_no_work() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    setup.endpoint.set_fault(Some(local::sqs::Fault::Fail));
    let summary = run(&mut setup.drain(|_, _| async { UNAVAILABLE_FOR_16_S })).await;
    assert_eq!(counted(&summary, [Metric::Retried, Metric::WakeFailed]), [1, 1]);
}

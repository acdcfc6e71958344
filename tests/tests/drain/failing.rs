//! Providers that fail as a whole, and verdicts that can't be true: the app is paused, its rows and tokens are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drain::drain::Drain;
use drain::outcome::Outcome;
use pushwake::function::metric::Metric;
use pushwake::limits::WINDOW;
use pushwake::queue::Batch;
use pushwake::wake::Why;
use tests::drive::{APP, batch, device};

use crate::setup::{Setup, counted, run};

/// The app whose provider fails.
const OTHER: &str = "other";

async fn enqueue(setup: &Setup, app: &str, devices: usize) {
    let devices: Vec<_> = (0..devices).map(|n| device(app, &format!("{app}-{n}"))).collect();
    for (call, devices) in devices.chunks(500).enumerate() {
        let call = Batch { devices: devices.to_vec(), ..batch(&format!("e{call}"), &[]) };
        setup.queue.enqueue(&call).await.expect("an enqueue");
    }
}

/// A drain of both apps; while `fails`, the provider of [`OTHER`] answers so.
fn drain(setup: &Setup, fails: &Arc<AtomicBool>, answer: impl Fn() -> Outcome + Send + Sync + 'static) -> Drain {
    let fails = fails.clone();
    setup.drain_of(&[APP, OTHER], move |lease, _| {
        let failing = fails.load(Ordering::SeqCst) && lease.app.as_str() == OTHER;
        std::future::ready(if failing { answer() } else { Outcome::Delivered })
    })
}

fn shutdown() -> Outcome {
    Outcome::Unavailable { reason: "Shutdown".into(), retry_after: None }
}

fn dead() -> Outcome {
    Outcome::Unregistered { reason: "BadDeviceToken".into(), dead_at: None }
}

fn to_other(setup: &Setup) -> usize {
    setup.calls().iter().filter(|(device, _)| device.starts_with(OTHER)).count()
}

async fn end_pause(setup: &Setup) {
    setup.database.execute("update pauses set until = clock_timestamp() - interval '1 ms'").await;
    setup.database.make_due().await;
}

async fn left_of(setup: &Setup, app: &str) -> i64 {
    setup.database.count(&format!("select count(*) from notifications where app = '{app}'")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn c08_a_provider_that_is_down_is_left_alone_and_its_rows_survive_while_the_other_app_goes_on() {
    let setup = Setup::new().await;
    enqueue(&setup, APP, 1_000).await;
    enqueue(&setup, OTHER, 1_000).await;
    let down = Arc::new(AtomicBool::new(true));
    let mut first = drain(&setup, &down, shutdown);
    let summary = run(&mut first).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Paused]), [1_000, 1], "the other app is done");
    let tried = to_other(&setup);
    assert!(tried <= 2 * WINDOW, "two windows at most: {tried}");
    assert_eq!(left_of(&setup, OTHER).await, 1_000);
    assert!(setup.wakes().contains(&(Why::Retry, 1, 10)), "the end of the pause has its wake");

    let mut another = drain(&setup, &down, shutdown);
    setup.database.make_due().await;
    run(&mut another).await;
    assert_eq!(to_other(&setup), tried, "every drain sees the pause");

    for step in 1..=3 {
        end_pause(&setup).await;
        run(&mut another).await;
        assert_eq!(to_other(&setup), tried + step, "one probe");
        let grown = format!("select count(*) from pauses where step = {step} and reason = 'Shutdown'");
        assert_eq!(setup.database.count(&grown).await, 1);
    }
    down.store(false, Ordering::SeqCst);
    end_pause(&setup).await;
    let summary = run(&mut first).await;
    assert_eq!((counted(&summary, [Metric::Delivered]), left_of(&setup, OTHER).await), ([1_000], 0));
    assert_eq!(setup.database.count("select count(*) from pauses").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn c08_a_small_app_whose_provider_is_down_is_paused_with_the_second_try() {
    let setup = Setup::new().await;
    enqueue(&setup, OTHER, 12).await;
    let mut drain = drain(&setup, &Arc::new(AtomicBool::new(true)), shutdown);
    assert_eq!(counted(&run(&mut drain).await, [Metric::Retried, Metric::Paused]), [12, 0]);
    setup.database.make_due().await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Retried, Metric::Paused]), [12, 1]);
    assert_eq!((left_of(&setup, OTHER).await, to_other(&setup)), (12, 24));
}

#[tokio::test(flavor = "multi_thread")]
async fn c08_a_provider_that_takes_requests_and_answers_none_is_paused_before_rows_are_given_up() {
    let setup = Setup::new().await;
    enqueue(&setup, OTHER, 60).await;
    let silent = || Outcome::Ambiguous { reason: "Timeout".into() };
    let down = Arc::new(AtomicBool::new(true));
    let mut drain = drain(&setup, &down, silent);
    run(&mut drain).await;
    setup.database.make_due().await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Paused, Metric::Unanswered]), [1, 0]);
    for step in 1..=2 {
        end_pause(&setup).await;
        assert_eq!(counted(&run(&mut drain).await, [Metric::Ambiguous, Metric::Paused]), [1, 1], "silence keeps it");
        let grown = format!("select count(*) from pauses where step = {step}");
        assert_eq!(setup.database.count(&grown).await, 1);
    }
    down.store(false, Ordering::SeqCst);
    end_pause(&setup).await;
    let summary = run(&mut drain).await;
    assert_eq!((counted(&summary, [Metric::Delivered]), left_of(&setup, OTHER).await), ([58], 0), "two were probes");
}

#[tokio::test(flavor = "multi_thread")]
async fn c14_wrong_environment_marks_no_token_and_keeps_every_row() {
    let setup = Setup::new().await;
    enqueue(&setup, OTHER, 100).await;
    let wrong = Arc::new(AtomicBool::new(true));
    let mut first = drain(&setup, &wrong, dead);
    let summary = run(&mut first).await;
    assert_eq!(counted(&summary, [Metric::Unregistered, Metric::Paused]), [0, 1]);
    let tried = to_other(&setup);
    assert!(tried <= 2 * WINDOW, "{tried}");
    let paused = "select count(*) from pauses where reason = 'TooManyDeadTokens'";
    assert_eq!((left_of(&setup, OTHER).await, setup.database.count(paused).await), (100, 1));

    // Another drain, which knows of nothing, has the probe.
    let mut another = drain(&setup, &wrong, dead);
    for step in 1..=3 {
        end_pause(&setup).await;
        assert_eq!(counted(&run(&mut another).await, [Metric::Misconfigured, Metric::Paused]), [1, 1]);
        let grown = format!("{paused} and step = {step}");
        assert_eq!((to_other(&setup), setup.database.count(&grown).await), (tried + step, 1), "one probe");
    }
    assert_eq!(setup.database.count("select count(*) from dead_tokens").await, 0);

    wrong.store(false, Ordering::SeqCst);
    end_pause(&setup).await;
    let summary = run(&mut another).await;
    assert_eq!((counted(&summary, [Metric::Delivered]), left_of(&setup, OTHER).await), ([100], 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn c14_dead_tokens_among_living_ones_are_marked_as_ever() {
    let setup = Setup::new().await;
    let gone = |device: &str| device.ends_with('7');
    let mut drain = setup.drain_of(&[OTHER], move |lease, _| {
        std::future::ready(if gone(lease.device.as_str()) { dead() } else { Outcome::Delivered })
    });
    enqueue(&setup, OTHER, 100).await;
    let with_tokens = "update notifications set target = json_build_object('platform', 'apns', 'token', md5(device))";
    setup.database.execute(with_tokens).await;
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Unregistered, Metric::Paused]), [90, 10, 0]);
    assert_eq!(setup.database.count("select count(*) from dead_tokens").await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn c17_a_429_without_retry_after_ten_times_is_no_hot_loop_and_costs_that_device_alone() {
    let setup = Setup::new().await;
    enqueue(&setup, APP, 20).await;
    let mut drain = setup.drain(|lease, _| {
        let throttled =
            Outcome::Throttled { reason: "TooManyRequests".into(), retry_after: None, whole_provider: false };
        std::future::ready(if lease.device.as_str() == "ios-prod-0" { throttled } else { Outcome::Delivered })
    });
    for attempt in 1..=10 {
        let posted = setup.wakes().len();
        let summary = run(&mut drain).await;
        assert_eq!(summary.counts.of(Metric::Retried), 1, "once, and not again before its time");
        assert_eq!(summary.counts.of(Metric::Delivered), if attempt == 1 { 19 } else { 0 });
        let wakes = setup.wakes().split_off(posted);
        assert!(matches!(wakes[..], [(Why::Retry, 1, 1..=32)]), "{wakes:?}");
        let waits = "select count(*) from lanes where due_at > clock_timestamp() - interval '1 minute'
            and attempts = ";
        assert_eq!(setup.database.count(&format!("{waits}{attempt}")).await, 1);
        setup.database.make_due().await;
    }
    assert_eq!(setup.database.count("select count(*) from pauses").await, 0);
    assert_eq!(setup.events_of("ios-prod-0").len(), 10);
}

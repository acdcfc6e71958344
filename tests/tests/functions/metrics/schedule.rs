//! The state of the minute.

use local::runtime_api::Invocation;
use local::stack::{self, APP, Stack};
use tests::barrier::{Held, until};
use tests::metrics::{Points, on};
use tests::product::{Product, options};

/// What schedule tells every minute, whatever it is.
const ALWAYS: [&str; 7] = [
    "oldest_due_age",
    "paused_apps",
    "prune_saturated",
    "oldest_snapshot_age",
    "dead_tuples",
    "wake_posted",
    "wake_failed",
];

async fn product() -> Product {
    with(vec![on()]).await
}

async fn with(environment: Vec<(String, String)>) -> Product {
    let product = Product::with(stack::Options { environment, ..options().await }).await;
    product.stack.stop_drains().await;
    product
}

/// Runs schedule, and answers what this run wrote.
async fn run(stack: &Stack) -> (Invocation, Points) {
    // The last line of a run, which may arrive after its answer.
    let last = ["\"message\":\"scheduled\"", "the invocation failed"];
    let ended = || {
        let lines = stack.schedule.output().lines().into_iter();
        lines.filter(|line| last.iter().any(|last| line.text.contains(last))).count()
    };
    let (before, seen) = (ended(), Points::of([&stack.schedule]).0.len());
    let answer = stack.run_schedule().await;
    until(|| async { ended() > before }).await;
    (answer, Points(Points::of([&stack.schedule]).0.split_off(seen)))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_minute_tells_its_state_also_where_it_is_zero() {
    let product = product().await;
    let (answer, minute) = run(&product.stack).await;
    assert!(answer.is_ok(), "{answer:?}");
    for metric in ALWAYS {
        assert_eq!(minute.values(metric, &[]).len(), 1, "{metric}");
    }
    let zeros = ["oldest_due_age", "paused_apps", "prune_saturated", "wake_posted", "wake_failed"];
    assert_eq!(zeros.map(|metric| minute.sum(metric, &[])), [0; 5]);
    assert_eq!(minute.sum("cold_starts", &[]), 1);
    let (_, minute) = run(&product.stack).await;
    assert!(minute.values("cold_starts", &[]).is_empty(), "the process is warm");
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_due_is_as_old_as_it_is_and_a_paused_app_does_not_count_for_the_stack() {
    let product = product().await;
    product.queue_in_silence(1, 0..2).await;
    product.database.execute("update lanes set due_at = due_at - interval '90 s'").await;
    let app = [("app", APP)];
    let (_, minute) = run(&product.stack).await;
    assert!(minute.sum("oldest_due_age", &[]) >= 90 && minute.sum("oldest_due_age", &app) >= 90, "{minute:?}");
    assert_eq!((minute.values("app_paused", &app), minute.sum("wake_posted", &[])), (vec![0], 2));
    let pause = format!(
        "insert into pauses (app, until, reason, step) values ('{APP}', clock_timestamp() + interval '1 h', 'Shutdown', 1)"
    );
    product.database.execute(&pause).await;
    let (_, minute) = run(&product.stack).await;
    assert_eq!((minute.sum("paused_apps", &[]), minute.values("app_paused", &app)), (1, vec![1]));
    assert_eq!(minute.values("oldest_due_age", &[]), [0]);
    assert!(minute.sum("oldest_due_age", &app) >= 90);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_come_also_when_the_prune_or_the_top_up_fails() {
    let product = product().await;
    product.queue_in_silence(1, 0..2).await;
    product.database.execute("alter table receipts rename to elsewhere").await;
    let (answer, minute) = run(&product.stack).await;
    assert!(!answer.is_ok(), "the prune failed: {answer:?}");
    assert_eq!((minute.sum("prune_saturated", &[]), minute.sum("wake_posted", &[])), (1, 2));
    assert!(ALWAYS.iter().all(|metric| minute.values(metric, &[]).len() == 1), "{minute:?}");
    product.database.execute("alter table elsewhere rename to receipts; alter table lanes rename to nowhere").await;
    let (answer, minute) = run(&product.stack).await;
    assert!(!answer.is_ok(), "the top-up failed, too: {answer:?}");
    assert!(minute.values("oldest_due_age", &[]).is_empty(), "what can't be measured is not zero");
    for metric in ["prune_saturated", "oldest_snapshot_age", "dead_tuples", "wake_posted", "wake_failed"] {
        assert_eq!(minute.values(metric, &[]).len(), 1, "{metric}");
    }
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_is_told_by_what_is_known_without_it() {
    // Nobody listens there.
    let product = with(vec![on(), ("DATABASE_PORT".to_owned(), "1".to_owned())]).await;
    let (answer, minute) = run(&product.stack).await;
    assert!(!answer.is_ok(), "{answer:?}");
    assert_eq!((minute.values("prune_saturated", &[]), minute.values("wake_posted", &[])), (vec![1], vec![0]));
    assert!(["oldest_due_age", "dead_tuples"].iter().all(|metric| minute.values(metric, &[]).is_empty()), "{minute:?}");
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_keeps_its_snapshot_grows_old() {
    let product = product().await;
    let held = Held::new(&product.database, "set transaction isolation level repeatable read; select 1").await;
    until(|| async { run(&product.stack).await.1.sum("oldest_snapshot_age", &[]) >= 1 }).await;
    held.roll_back().await;
    let (_, minute) = run(&product.stack).await;
    assert_eq!(minute.values("oldest_snapshot_age", &[]).len(), 1);
    product.stop().await;
}

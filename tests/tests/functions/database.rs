//! A database that refuses finishes, resets connections, restarts, or vanishes without a word.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use local::postgres::{Cluster, Options, Stop};
use local::runtime_api::Invocation;
use local::stack::{self, WAKES};
use serde_json::json;
use tests::barrier::{Held, soon, until};
use tests::database::front_port;
use tests::pooler;
use tests::product::{Product, event, lines, options, token, until_line};
use tests::wire::Wire;

/// Whatever deletes a notification waits for it, or fails of it; renewals go on.
const NO_FINISH: &str = "lock table notifications in access exclusive mode";
const FINISH_FAILED: &str = r#""step":"a finish""#;
/// Ends every connection of the functions.
const TERMINATE: &str = "select count(pg_terminate_backend(pid)) from pg_stat_activity
    where datname = current_database() and application_name in ('enqueue', 'drain', 'schedule')";
/// Behind a pooler the connections are the pooler's, and carry the name of whom they served last.
const ENDED_BY_NAME: &str = "ends the connections of each function";

/// When the one lease ends, in milliseconds.
async fn lease_end(product: &Product) -> i64 {
    product.database.count("select (extract(epoch from lease_until) * 1000)::bigint from lanes").await
}

#[tokio::test(flavor = "multi_thread")]
async fn c01_a_finish_that_fails_is_tried_again_under_a_renewed_lease_and_the_send_is_not() {
    let product = Product::with(stack::Options { pooler: pooler::direct(ENDED_BY_NAME), ..options().await }).await;
    product.apns().gate().close();
    product.queue(1, [0]).await;
    product.until(|tally| tally.in_flight == 1).await;
    let held = Held::new(&product.database, NO_FINISH).await;
    let claimed = lease_end(&product).await;
    product.apns().gate().open();
    // One by a connection that is reset, the others by lock time-outs.
    until_line(&product.stack.drain, FINISH_FAILED).await;
    assert!(product.database.count(TERMINATE).await > 0);
    until(|| async { lease_end(&product).await >= claimed + 5_000 }).await;
    assert!(lines(&product.stack.drain, "the database failed; tried again").len() >= 3);
    held.roll_back().await;
    product.until_quiet().await;
    assert_eq!((product.apns().tally().requests, product.left().await), (1, 0));
    assert_eq!((product.total("delivered").await, product.total("lease_lost").await), (1, 0));
    assert_eq!((product.stack.activity().failed, product.errors().len()), (0, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c01_a_drain_that_dies_before_its_finish_costs_one_more_call_of_the_same_ids() {
    let product = Product::start().await;
    product.apns().gate().close();
    let mut request = event(1, [0]);
    request["notification"]["collapse_id"] = json!("c");
    product.enqueue(&request).await;
    product.until(|tally| tally.in_flight == 1).await;
    let held = Held::new(&product.database, NO_FINISH).await;
    product.apns().gate().open();
    until_line(&product.stack.drain, FINISH_FAILED).await;
    product.stack.drain.kill_one().await.expect("a drain to kill");
    held.roll_back().await;
    product.database.end_leases().await;
    product.stack.sqs.expire_visibility(WAKES);
    product.until(|tally| tally.requests == 2).await;
    product.until_quiet().await;
    let calls = product.apns().requests_of(&token(0));
    assert_eq!((calls.len(), product.left().await), (2, 0));
    assert_eq!(calls[0].asked.apns_id, calls[1].asked.apns_id);
    assert_eq!(calls[0].asked.collapse_id, Some("c".to_owned()));
    assert_eq!(calls[1].asked.collapse_id, Some("c".to_owned()));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c11s_connections_that_ended_between_invocations_are_nobodys_error() {
    let product = Product::with(stack::Options { pooler: pooler::direct(ENDED_BY_NAME), ..options().await }).await;
    product.stack.stop_drains().await;
    for n in 1..=3 {
        product.queue(n, [0]).await;
        product.schedule().await;
        product.drain().await;
        assert_eq!(product.apns().tally().delivered, n);
        // Of instances that are frozen, as between invocations.
        assert!(product.database.count(TERMINATE).await >= 3);
    }
    assert_eq!((product.errors(), product.stack.drain.counts().cold), (Vec::new(), 1));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c11s_a_postgres_that_crashes_in_the_middle_of_a_drain_costs_no_notification_and_no_second_send() {
    const DEVICES: usize = 100;
    // A crash may cost what was answered before it was written, where a database is set up for speed alone.
    let settings = vec![("synchronous_commit".to_owned(), "on".to_owned())];
    let cluster = Cluster::start(Options { settings, ..Options::default() }).await.expect("a cluster of its own");
    let pooler = pooler::before(&cluster).await;
    let own = stack::Options { cluster: Some(cluster.clone()), template: None, pooler, ..options().await };
    let product = Product::with(own).await;
    product.apns().gate().close();
    product.queue(1, 0..DEVICES).await;
    product.queue(2, 0..DEVICES).await;
    product.until(|tally| tally.in_flight == DEVICES as u64).await;
    cluster.halt(Stop::Immediate).await.expect("postgres stops");
    product.apns().gate().open();
    product.until(|tally| tally.delivered == DEVICES as u64).await;
    let refused = product.stack.enqueue(&event(3, [0])).await.expect_err("an error that says to call again");
    assert!(
        matches!(&refused, Invocation::FunctionError { kind, .. } if kind == "Pushwake.Unavailable"),
        "{refused:?}"
    );
    cluster.resume().await.expect("postgres starts again");
    // A pooler in front of it may answer for a second yet that it is away.
    until(|| async { product.stack.enqueue(&event(3, [0])).await.is_ok() }).await;
    product.until(|tally| tally.delivered == 2 * DEVICES as u64 + 1).await;
    product.until_quiet().await;
    let tally = product.apns().tally();
    assert_eq!((tally.requests, product.left().await), (2 * DEVICES as u64 + 1, 0));
    assert_eq!((tally.duplicates, tally.second_flights, tally.order_violations), (0, 0, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c54_a_database_that_vanishes_without_a_word_is_one_error_in_time_and_all_is_delivered_afterwards() {
    const DEVICES: usize = 50;
    // The shortest time-out that leaves room for a send and its finish: the drain gives up after a few seconds.
    let timeout = Duration::from_secs(21);
    let wire = Wire::to(front_port().await).await;
    let environment = vec![("DATABASE_PORT".to_owned(), wire.address.port().to_string())];
    let product = Product::with(stack::Options { environment, timeout, ..options().await }).await;
    product.apns().gate().close();
    product.queue(1, 0..DEVICES).await;
    product.queue(2, 0..DEVICES).await;
    product.until(|tally| tally.in_flight == DEVICES as u64).await;
    let vanished = Instant::now();
    wire.faults.black_hole.store(true, Ordering::SeqCst);
    product.apns().gate().open();
    let activity = soon(product.stack.until(|activity| activity.failed == 1)).await;
    assert!(vanished.elapsed() < timeout, "{:?}", vanished.elapsed());
    assert_eq!((activity.running, product.stack.drain.counts().timed_out), (0, 0));
    assert_eq!(product.errors().len(), 1, "{:?}", product.errors());
    until(|| async {
        let open = "select count(*) from pg_stat_activity
            where datname = current_database() and state like 'idle in transaction%'";
        product.database.count(open).await == 0
    })
    .await;
    wire.faults.black_hole.store(false, Ordering::SeqCst);
    product.database.end_leases().await;
    product.stack.sqs.expire_visibility(WAKES);
    product.until(|tally| tally.delivered == 2 * DEVICES as u64).await;
    product.until_quiet().await;
    let tally = product.apns().tally();
    assert!(tally.requests <= 3 * DEVICES as u64, "at most one more send of what could not be finished: {tally:?}");
    assert_eq!((tally.second_flights, tally.order_violations, product.left().await), (0, 0, 0));
    assert_eq!(product.errors().len(), 1, "{:?}", product.errors());
    product.stop().await;
}

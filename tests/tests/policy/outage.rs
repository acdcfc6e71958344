//! c08: one provider is down, and the other one does not notice.

use std::time::{Duration, Instant};

use futures::future::join_all;
use local::apns::Reply;
use pushwake::limits::{DRAINS, WINDOW};
use tests::barrier::until;

use crate::two_apps::{BAD, GOOD, TwoApps};

const DEVICES: usize = 1_000;
/// A thousand deliveries, and one, on a machine that does much else.
const AT_LENGTH: Duration = Duration::from_secs(25);
/// See [`AT_LENGTH`].
const AT_ONCE: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn c08_one_provider_down_costs_the_other_nothing_and_is_left_alone_but_for_a_probe() {
    let two = TwoApps::start().await;
    let product = &two.product;
    two.bad.answer_all(Reply::status(503, "Shutdown"));
    two.queue(1, BAD, DEVICES).await;
    two.queue(1, GOOD, DEVICES).await;
    let queued = Instant::now();
    two.good.wait_until(|tally| tally.delivered == DEVICES as u64).await;
    assert!(queued.elapsed() < AT_LENGTH, "{:?}", queued.elapsed());
    let queued = Instant::now();
    two.queue(2, GOOD, 1).await;
    two.good.wait_until(|tally| tally.delivered == DEVICES as u64 + 1).await;
    assert!(queued.elapsed() < AT_ONCE, "behind a thousand rows of the other: {:?}", queued.elapsed());
    product.stack.stop_drains().await;
    let tried = two.bad.tally().requests;
    assert!(tried <= (2 * DRAINS * WINDOW) as u64, "{tried}");
    assert_eq!((two.left(BAD).await, two.left(GOOD).await), (DEVICES as i64, 0));
    assert_eq!(two.paused(&format!("app = '{BAD}' and reason = 'Shutdown'")).await, 1);

    // Every drain sees the pause: those that met it, and those that start now.
    product.stack.drain.retire_idle().await;
    product.database.make_due().await;
    two.queue(3, GOOD, DRAINS).await;
    join_all((0..DRAINS).map(|_| product.drain())).await;
    assert_eq!((two.bad.tally().requests, two.left(GOOD).await), (tried, 0));

    // One probe, whoever sends it, and a longer pause.
    let step = two.product.database.count("select step::bigint from pauses").await;
    for probe in 1..=2_i64 {
        two.end_pause().await;
        join_all((0..DRAINS).map(|_| product.drain())).await;
        assert_eq!(two.bad.tally().requests, tried + probe.unsigned_abs());
        assert_eq!(two.paused(&format!("step = {} and until > clock_timestamp()", step + probe)).await, 1);
    }

    two.bad.answer_all(Reply::delivered());
    two.end_pause().await;
    product.stack.start_drains();
    product.schedule().await;
    two.bad.wait_until(|tally| tally.delivered == DEVICES as u64).await;
    until(|| async { two.left(BAD).await == 0 }).await;
    let tally = two.bad.tally();
    assert_eq!((tally.duplicates, tally.second_flights, tally.order_violations), (0, 0, 0));
    assert_eq!(two.paused("true").await, 0);
    two.stop().await;
}

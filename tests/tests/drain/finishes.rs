//! Finishes: an outcome that is known is kept until it is written, whatever fails meanwhile.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use drain::Ended;
use drain::outcome::Outcome;
use pushwake::contract::Target;
use pushwake::function::metric::Metric;
use pushwake::queue::Queue;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tests::barrier::{Held, until};
use tests::database::{cluster, queue_over};
use tests::drive::from_now;
use tests::pooler;
use tests::wire::Wire;
use tokio::sync::Notify;

use crate::setup::{Setup, counted, deliver, run};

/// The first finishes fail: the first two are refused, the third loses its connection. A sequence counts them, since
/// it is not rolled back.
const THREE_FAILURES: &str = "
    create sequence finishes;
    create function fail() returns trigger language plpgsql as $$
    declare
        nth bigint := nextval('finishes');
    begin
        if nth = 3 then
            perform pg_terminate_backend(pg_backend_pid());
        end if;
        if nth <= 3 then
            raise exception 'scripted failure';
        end if;
        return null;
    end $$;
    create trigger fail after delete on notifications for each statement execute function fail();";

#[tokio::test(flavor = "multi_thread")]
async fn c01_a_finish_that_fails_three_times_is_retried_and_the_send_is_not() {
    let setup = Setup::new().await;
    setup.database.execute(THREE_FAILURES).await;
    setup.enqueue("e1", &["d1"]).await;
    let summary = run(&mut setup.drain(deliver)).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::FinishRetried, Metric::LeaseLost]), [1, 3, 0]);
    assert_eq!((setup.calls().len(), setup.left().await, summary.ended), (1, 0, Ended::Idle));
}

#[tokio::test(flavor = "multi_thread")]
async fn c41_an_answer_after_the_lease_was_lost_changes_nothing_and_is_counted() {
    let setup = Arc::new(Setup::new().await);
    setup.enqueue("e1", &["d1"]).await;
    let thief = setup.clone();
    let mut drain = setup.drain(move |_, _| {
        let setup = thief.clone();
        async move {
            // Another drain has claimed the lane meanwhile.
            let steal = "update lanes set lease_token = gen_random_uuid(), attempts = attempts + 1";
            setup.database.execute(steal).await;
            Outcome::Delivered
        }
    });
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::LeaseLost]), [0, 1]);
    let lanes = "select count(*) from lanes where attempts = 2 and lease_until > clock_timestamp()";
    assert_eq!((setup.database.count(lanes).await, setup.left().await), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn c57_a_finish_whose_commit_answer_is_lost_is_not_lost_and_the_next_head_goes_out() {
    let setup = Setup::new().await;
    let wire = Wire::to(cluster().await.port()).await;
    for event in ["e1", "e2", "e3"] {
        setup.enqueue(event, &["d1"]).await;
    }
    let faults = wire.faults.clone();
    let mut drain = setup.drain(move |_, notification| {
        // The next commit is that of this notification's finish.
        if notification.event.as_str() == "e1" {
            faults.lose_commit_answers.store(1, Ordering::SeqCst);
        }
        std::future::ready(Outcome::Delivered)
    });
    // Behind a pooler the next commit may be that of a statement which needs none of its own elsewhere.
    let prepared = pooler::direct("loses the answer of one commit").is_none();
    drain.queue = Queue::new(pool_over(setup.database.options(), &wire), prepared);
    let summary = run(&mut drain).await;
    assert_eq!(wire.faults.lose_commit_answers.load(Ordering::SeqCst), 0, "the answer was lost");
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::FinishRetried, Metric::LeaseLost]), [3, 1, 0]);
    assert_eq!((setup.events_of("d1"), setup.left().await), (vec!["e1".into(), "e2".into(), "e3".into()], 0));
}

/// A queue whose one connection goes over the wire.
pub fn over(setup: &Setup, wire: &Wire) -> Queue {
    queue_over(pool_over(setup.database.front(), wire))
}

fn pool_over(options: PgConnectOptions, wire: &Wire) -> PgPool {
    let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(3));
    pool.connect_lazy_with(options.host("127.0.0.1").port(wire.address.port()))
}

#[tokio::test(flavor = "multi_thread")]
async fn c56_one_locked_lane_is_waited_for_alone_and_the_others_are_finished_at_once() {
    let setup = Arc::new(Setup::new().await);
    setup.enqueue("e1", &["stuck", "d1", "d2"]).await;
    let (claimed, locked) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (claiming, locking) = (claimed.clone(), locked.clone());
    let mut drain = setup.drain(move |_, _| {
        let (claimed, locked) = (claiming.clone(), locking.clone());
        async move {
            claimed.notify_one();
            locked.notified().await;
            locked.notify_one();
            Outcome::Delivered
        }
    });
    let draining = tokio::spawn(async move { run(&mut drain).await });
    claimed.notified().await;
    let held = Held::new(&setup.database, "select from lanes where device = 'stuck' for update").await;
    locked.notify_one();
    until(|| async { setup.left().await == 1 }).await;
    setup.enqueue("e2", &["d1"]).await;
    until(|| async { setup.events_of("d1").len() == 2 && setup.left().await == 1 }).await;
    tests::barrier::until_blocked(&setup.database.pool, "claims").await;
    held.roll_back().await;
    let summary = draining.await.expect("no panic");
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::LeaseLost]), [4, 0]);
    assert_eq!((setup.calls().len(), setup.left().await), (4, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_is_renewed_while_its_send_is_slow() {
    let setup = Arc::new(Setup::new().await);
    setup.enqueue("e1", &["d1"]).await;
    let until_renewed = setup.clone();
    let mut drain = setup.drain(move |_, _| {
        let setup = until_renewed.clone();
        async move {
            // As after a third of it: the renewer comes before it ends.
            let lease = "select extract(epoch from lease_until - clock_timestamp())::bigint from lanes";
            until(|| async { setup.database.count(lease).await < 25 }).await;
            until(|| async { setup.database.count(lease).await > 25 }).await;
            Outcome::Delivered
        }
    });
    drain.give_up = Duration::from_secs(20);
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::LeaseLost]), [1, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_token_is_recorded_and_the_device_goes_on() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1", "d2"]).await;
    let target = Target::Apns { token: "00ff".to_owned() }.to_json();
    setup.database.execute(&format!("update notifications set target = '{target}'")).await;
    let at = from_now(-60).replace_nanosecond(0).expect("a whole second");
    let mut drain = setup.drain(move |lease, _| async move {
        match lease.device.as_str() {
            "d1" => Outcome::Unregistered { reason: "Unregistered".into(), dead_at: Some(at) },
            _ => Outcome::Delivered,
        }
    });
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Unregistered]), [1, 1]);
    let dead = format!(
        "select count(*) from dead_tokens where device = 'd1' and reason = 'Unregistered' and dead_at = to_timestamp({})",
        at.unix_timestamp()
    );
    assert_eq!((setup.database.count(&dead).await, setup.left().await), (1, 0));
}

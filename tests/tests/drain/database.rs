//! Databases that are away, restarted or out of reach.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use drain::drain::{DrainError, Invocation};
use drain::outcome::Outcome;
use pushwake::function::metric::Metric;
use pushwake::queue::Queue;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tests::database::front_port;
use tests::wire::Wire;

use crate::finishes::over;
use crate::setup::{Setup, counted, deliver, invocation, run, try_run};

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_is_one_error_and_a_quick_return() {
    let setup = Setup::new().await;
    let mut drain = setup.drain(deliver);
    // Nobody listens on it: bound, and never listened on.
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let port = socket.local_addr().expect("an address").port();
    let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(1));
    let away = pool.connect_lazy_with(PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port));
    drain.queue = Queue::new(away, true);
    let started = Instant::now();
    let error = try_run(&mut drain).await.expect_err("nothing can be claimed");
    assert!(matches!(error, DrainError::Database(_)), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    drain.queue = setup.database.queue(1);
    setup.enqueue("e1", &["d1"]).await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Delivered]), [1], "the next invocation of the process works");
}

#[tokio::test(flavor = "multi_thread")]
async fn c11s_a_terminated_connection_costs_nothing_but_a_retry() {
    let setup = Arc::new(Setup::new().await);
    setup.enqueue("e1", &["d1"]).await;
    setup.enqueue("e2", &["d1"]).await;
    let killer = setup.clone();
    let mut drain = setup.drain(move |_, notification| {
        let setup = killer.clone();
        async move {
            if notification.event.as_str() == "e1" {
                let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where datname = current_database() and application_name in ('claims', 'renewals')";
                assert!(setup.database.count(kill).await > 0);
            }
            Outcome::Delivered
        }
    });
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::LeaseLost]), [2, 0]);
    assert_eq!((setup.calls().len(), setup.left().await), (2, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn c54_a_database_that_vanishes_mid_drain_ends_in_one_error_and_nothing_is_lost() {
    let setup = Setup::new().await;
    let wire = Wire::to(front_port().await).await;
    setup.enqueue("e1", &["d1", "d2"]).await;
    let faults = wire.faults.clone();
    let mut drain = setup.drain(move |_, _| {
        faults.black_hole.store(true, Ordering::SeqCst);
        std::future::ready(Outcome::Delivered)
    });
    (drain.queue, drain.renewals) = (over(&setup, &wire), over(&setup, &wire));
    let remaining = Duration::from_secs(21);
    let started = Instant::now();
    let error = drain.run(Invocation { remaining, ..invocation() }).await.expect_err("nothing can be finished");
    assert!(matches!(error, DrainError::Unfinished { unfinished: 2, .. }), "{error}");
    assert!(started.elapsed() < remaining, "before Lambda kills it: {:?}", started.elapsed());
    tests::barrier::until(|| async {
        let open = "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in%'";
        setup.database.count(open).await == 0
    })
    .await;
    setup.database.end_leases().await;
    assert_eq!(counted(&run(&mut setup.drain(deliver)).await, [Metric::Delivered]), [2]);
    assert_eq!(setup.left().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_when_the_budget_ends_is_an_error_too() {
    let setup = Setup::new().await;
    let wire = Wire::to(front_port().await).await;
    wire.faults.black_hole.store(true, Ordering::SeqCst);
    let mut drain = setup.drain(deliver);
    drain.queue = over(&setup, &wire);
    // A second to claim in, which one claim outlasts.
    let remaining = Duration::from_secs(21);
    let error = drain.run(Invocation { remaining, ..invocation() }).await.expect_err("no claim was answered");
    assert!(matches!(error, DrainError::Database(_)), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_out_that_leaves_no_room_for_a_send_says_so() {
    let setup = Setup::new().await;
    let mut drain = setup.drain(deliver);
    let error = drain.run(Invocation { remaining: Duration::from_secs(3), ..invocation() }).await.expect_err("no time");
    assert!(error.to_string().contains("45 s"), "{error}");
}

//! Claims and sends: what goes out, in which order, and what it costs.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use drain::Ended;
use drain::outcome::Outcome;
use pushwake::function::metric::Metric;
use pushwake::limits::DRAINS;
use tests::drive::{self, from_now};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

use crate::setup::{Setup, counted, deliver, run};

#[tokio::test(flavor = "multi_thread")]
async fn c49_one_send_to_an_idle_queue_costs_two_claims() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    let mut drain = setup.drain(|_, _| async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        Outcome::Delivered
    });
    let summary = run(&mut drain).await;
    assert_eq!((summary.claims, counted(&summary, [Metric::Delivered])), (2, [1]));
    assert_eq!((summary.empty_claims, summary.ended), (1, Ended::Idle));
    assert_eq!((setup.left().await, setup.wakes()), (0, vec![]));
    let idle = run(&mut drain).await;
    assert_eq!(
        (idle.claims, counted(&idle, [Metric::Delivered])),
        (1, [0]),
        "a second invocation of the process works"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn c49_many_sends_cost_at_most_one_empty_claim_each() {
    const SENDS: u64 = 60;
    let setup = Arc::new(Setup::new().await);
    let concurrency = Arc::new(Semaphore::new(DRAINS));
    let mut drains = JoinSet::new();
    for n in 0..SENDS {
        let (setup, concurrency) = (setup.clone(), concurrency.clone());
        drains.spawn(async move {
            let _one_of_twelve = concurrency.acquire().await.expect("never closed");
            setup.enqueue(&format!("e{n}"), &[&format!("d{n}")]).await;
            run(&mut setup.drain(deliver)).await
        });
    }
    let summaries = drains.join_all().await;
    let empty: u64 = summaries.iter().map(|summary| summary.empty_claims).sum();
    assert!(empty <= SENDS + 2 * DRAINS as u64, "{empty}");
    assert_eq!(setup.calls().len() as u64, SENDS);
}

/// Who is in flight, and whether anybody ever was twice.
#[derive(Default)]
struct Flights {
    now: Mutex<HashSet<String>>,
    twice: AtomicBool,
}

#[tokio::test(flavor = "multi_thread")]
async fn c05_twelve_drains_send_every_device_in_order_and_never_two_at_once() {
    const DEVICES: usize = 500;
    let setup = Arc::new(Setup::new().await);
    let devices: Vec<String> = (0..DEVICES).map(|n| format!("d{n}")).collect();
    let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
    for event in ["e1", "e2", "e3"] {
        setup.enqueue(event, &devices).await;
    }
    let flights = Arc::new(Flights::default());
    let mut drains = JoinSet::new();
    for _ in 0..DRAINS {
        let (setup, flights) = (setup.clone(), flights.clone());
        drains.spawn(async move {
            let mut drain = setup.drain(move |lease, _| {
                let flights = flights.clone();
                async move {
                    let device = lease.device.as_str().to_owned();
                    if !flights.now.lock().expect("no panic").insert(device.clone()) {
                        flights.twice.store(true, Ordering::SeqCst);
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    flights.now.lock().expect("no panic").remove(&device);
                    Outcome::Delivered
                }
            });
            run(&mut drain).await
        });
    }
    drains.join_all().await;
    assert_eq!((setup.calls().len(), setup.left().await), (DEVICES * 3, 0));
    assert!(!flights.twice.load(Ordering::SeqCst));
    for device in devices {
        assert_eq!(setup.events_of(device), ["e1", "e2", "e3"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c05_what_a_dead_drain_held_goes_out_after_its_lease() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    let started = Arc::new(Notify::new());
    let starting = started.clone();
    let mut dying = setup.drain(move |_, _| {
        starting.notify_one();
        std::future::pending()
    });
    tokio::select! {
        _ = run(&mut dying) => panic!("its send is never answered"),
        () = started.notified() => {}
    }
    let mut drain = setup.drain(deliver);
    assert_eq!(counted(&run(&mut drain).await, [Metric::Delivered]), [0]);
    setup.database.end_leases().await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Delivered]), [1]);
    assert_eq!(setup.events_of("d1"), ["e1", "e1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_alive_is_sent() {
    let setup = Setup::new().await;
    setup.enqueue("expired", &["d1"]).await;
    setup.enqueue("dismissed", &["d2"]).await;
    setup.enqueue("unanswered", &["d3"]).await;
    setup.enqueue("c61", &["d4"]).await;
    setup.enqueue("alive", &["d1", "d2", "d3", "d4"]).await;
    let database = &setup.database;
    database.execute("update notifications set expires_at = clock_timestamp() where event = 'expired'").await;
    database
        .execute("insert into dismissals select source, event, app, device, clock_timestamp() from notifications where event = 'dismissed'")
        .await;
    database.execute("update lanes set unanswered = 3, attempts = 3 where device = 'd3'").await;
    database.execute("update notifications set format = 99 where event = 'c61'").await;
    let summary = run(&mut setup.drain(deliver)).await;
    assert_eq!(
        counted(&summary, [Metric::Expired, Metric::Dismissed, Metric::Unanswered, Metric::Newer, Metric::Delivered]),
        [1, 1, 1, 1, 3]
    );
    assert!(setup.calls().iter().all(|(device, event)| event == "alive" && device != "d4"));
    assert_eq!(database.count("select attempts::bigint from lanes where device = 'd4'").await, 0, "c61: none is spent");
    assert_eq!(setup.left().await, 2, "c61: the newer one, and the one behind it");
    assert_eq!(setup.wakes().len(), 1, "c61: a newer drain is woken for it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_in_one_send_is_the_outcome_of_that_notification_alone() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["bad", "d1", "d2"]).await;
    let mut drain = setup.drain(|lease, _| async move {
        assert_ne!(lease.device.as_str(), "bad", "the scripted panic");
        Outcome::Delivered
    });
    let summary = run(&mut drain).await;
    assert_eq!(
        counted(&summary, [Metric::Delivered, Metric::Panicked, Metric::Ambiguous, Metric::Retried]),
        [2, 1, 1, 1]
    );
    assert_eq!(setup.database.count("select unanswered::bigint from lanes where device = 'bad'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn c40_a_silent_provider_is_given_up_and_other_devices_go_on() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["silent", "d1"]).await;
    setup.enqueue("e2", &["d1"]).await;
    let done = Arc::new(AtomicUsize::new(0));
    let counting = done.clone();
    let mut drain = setup.drain(move |lease, _| {
        let done = counting.clone();
        async move {
            if lease.device.as_str() == "silent" {
                std::future::pending::<()>().await;
            }
            done.fetch_add(1, Ordering::SeqCst);
            Outcome::Delivered
        }
    });
    drain.give_up = Duration::from_millis(300);
    let summary = run(&mut drain).await;
    assert_eq!(done.load(Ordering::SeqCst), 2);
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Ambiguous, Metric::Retried]), [2, 1, 1]);
    assert_eq!(summary.in_flight_peak, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn c07_a_send_that_is_never_answered_is_discarded_after_two_resends() {
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1"]).await;
    setup.enqueue("e2", &["d1"]).await;
    let mut drain = setup.drain(|_, notification| async move {
        match notification.event.as_str() {
            "e1" => Outcome::Ambiguous { reason: "closed".into() },
            _ => Outcome::Delivered,
        }
    });
    for _ in 0..4 {
        run(&mut drain).await;
        setup.database.make_due().await;
    }
    assert_eq!(setup.events_of("d1"), ["e1", "e1", "e1", "e2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_window_is_never_exceeded_and_still_sends_all() {
    let setup = Setup::new().await;
    let devices: Vec<String> = (0..40).map(|n| format!("d{n}")).collect();
    setup.enqueue("e1", &devices.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut drain = setup.drain(|_, _| async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        Outcome::Delivered
    });
    drain.window = 5;
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered]), [40]);
    assert_eq!(summary.in_flight_peak, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_for_later_is_left_for_later() {
    let setup = Setup::new().await;
    let later = pushwake::queue::Batch { send_at: Some(from_now(600)), ..drive::batch("e1", &["d1"]) };
    setup.queue.enqueue(&later).await.expect("an enqueue");
    let summary = run(&mut setup.drain(deliver)).await;
    assert_eq!((summary.claims, counted(&summary, [Metric::Claimed])), (1, [0]));
    assert_eq!(setup.wakes(), [], "enqueue has posted its wake, and this drain wrote nothing");
}

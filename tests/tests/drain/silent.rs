//! A provider that takes requests and answers none.

use std::time::Duration;

use drain::outcome::Outcome;
use pushwake::limits::{WINDOW, WINDOW_QUARTER};
use pushwake::queue::Batch;
use tests::barrier::until;
use tests::drive::{APP, batch, device};
use tokio::sync::watch;

use crate::setup::{Setup, run};

/// The app whose provider is silent.
const SILENT: &str = "silent";

async fn enqueue(setup: &Setup, app: &str, devices: usize) {
    let devices = (0..devices).map(|n| device(app, &format!("{app}-{n}"))).collect();
    setup.queue.enqueue(&Batch { devices, ..batch("e", &[]) }).await.expect("an enqueue");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_is_silent_holds_no_place_that_another_app_needs() {
    const OTHERS: usize = 3 * WINDOW_QUARTER;
    let setup = Setup::new().await;
    let (answers, answered) = watch::channel(false);
    let mut drain = setup.drain_of(&[APP, SILENT], move |lease, _| {
        let mut answered = answered.clone();
        async move {
            if lease.app.as_str() == SILENT {
                answered.wait_for(|answered| *answered).await.expect("the test answers");
            }
            Outcome::Delivered
        }
    });
    // Not the drain itself ends the silence.
    drain.give_up = Duration::from_mins(5);
    enqueue(&setup, SILENT, 2 * WINDOW).await;
    let draining = run(&mut drain);
    let watched = async {
        until(|| async { setup.calls().len() == WINDOW }).await;
        enqueue(&setup, APP, OTHERS).await;
        until(|| async { setup.calls().len() == WINDOW + OTHERS }).await;
        answers.send_replace(true);
    };
    let (summary, ()) = tokio::join!(draining, watched);
    assert!(summary.in_flight_peak <= WINDOW + WINDOW_QUARTER, "{summary:?}");
    assert_eq!(setup.calls().len(), 2 * WINDOW + OTHERS, "{summary:?}");
    assert_eq!(setup.left().await, 0);
}

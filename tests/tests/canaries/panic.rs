//! A panic whose text quotes a notification, in a process of its own: its standard output and error are what is read.

use std::process::Command;

use drain::outcome::Outcome;
use pushwake::function::metric::Metric;

use crate::drain_setup::{Setup, counted, run};
use crate::{CANARY, Canaries};

/// Started by the test below, with the log of a function.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the child process of c36s_a_panic_that_quotes_a_notification_is_in_no_output"]
async fn child() {
    pushwake::function::log::init();
    let setup = Setup::new().await;
    setup.enqueue("e1", &["d1", "d2"]).await;
    let mut drain = setup.drain(|lease, notification| async move {
        assert!(lease.device.as_str() != "d1", "{CANARY} {} {}", notification.payload, notification.target);
        Outcome::Delivered
    });
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Panicked]), [1]);
}

#[test]
fn c36s_a_panic_that_quotes_a_notification_is_in_no_output() {
    let child = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--ignored", "--exact", "panic::child", "--nocapture", "--test-threads", "1"])
        .env("AWS_LAMBDA_LOG_LEVEL", "TRACE")
        .env("RUST_BACKTRACE", "1")
        .output()
        .expect("the child runs");
    let lines: Vec<String> = [&child.stdout, &child.stderr]
        .into_iter()
        .flat_map(|written| String::from_utf8_lossy(written).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(child.status.success(), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("the text is withheld")));
    Canaries::new([]).are_in_none(lines);
}

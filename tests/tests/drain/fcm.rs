//! FCM as a drain meets it: what its answers do to rows, tokens and the whole app.

use drain::drain::Drain;
use drain::provider::Providers;
use local::fcm::{Options, Reply, Server};
use pushwake::app::Apps;
use pushwake::contract::Target;
use pushwake::function::metric::Metric;
use pushwake::queue::{Batch, BatchDevice};
use serde_json::json;
use tempfile::TempDir;
use tests::drive::{batch, device};

use crate::setup::{Setup, counted, deliver, run};

const ANDROID: &str = "android";

/// A drain whose one app sends to `server`.
fn drain_of(setup: &Setup, server: &Server) -> Drain {
    let folder = TempDir::new().expect("a folder");
    let credentials = server.write_credentials(folder.path()).expect("the credentials can be written");
    let apps =
        Apps::parse(&json!({ ANDROID: server.app(&credentials) }).to_string()).expect("the settings are complete");
    let mut providers = Providers::new(Some(&credentials.ca)).expect("the CA can be read");
    for app in apps.iter() {
        providers.add(app, &server.key_json()).expect("the key can be used");
    }
    Drain { providers, ..setup.drain(deliver) }
}

async fn enqueue(setup: &Setup, event: &str, devices: usize) {
    let registered = |n: usize| {
        let target = Target::Fcm { token: format!("token-{n}") };
        BatchDevice { target: target.to_json(), token_hash: target.hash(), ..device(ANDROID, &format!("d{n}")) }
    };
    let payload = json!({"kind": "alert", "event": event, "notification": {"title": "t"}}).to_string();
    let devices = (0..devices).map(registered).collect();
    setup.queue.enqueue(&Batch { payload, devices, ..batch(event, &[]) }).await.expect("an enqueue");
}

async fn dead_tokens(setup: &Setup) -> i64 {
    setup.database.count("select count(*) from dead_tokens").await
}

#[tokio::test(flavor = "multi_thread")]
async fn c17_a_quota_of_fcm_without_retry_after_ten_times_is_not_asked_again_before_a_minute() {
    let setup = Setup::new().await;
    let server = Server::start(Options::default()).await.expect("the server starts");
    server.answer_all(Reply::status(429, "QUOTA_EXCEEDED"));
    enqueue(&setup, "e1", 20).await;
    let mut drain = drain_of(&setup, &server);
    for round in 0..10 {
        run(&mut drain).await;
        assert_eq!(server.tally().requests, 20 + round, "everyone once, then one probe after every pause");
        let pause = "select floor(extract(epoch from until - clock_timestamp()))::bigint from pauses";
        assert!(setup.database.count(pause).await >= 50, "a minute, less what this test takes");
        setup.database.make_due().await;
        run(&mut drain).await;
        assert_eq!(server.tally().requests, 20 + round, "nothing is sent during the pause");
        setup.database.execute("update pauses set until = clock_timestamp() - interval '1 ms'").await;
    }
    assert_eq!((setup.left().await, dead_tokens(&setup).await), (20, 0));

    server.answer_all(Reply::delivered());
    let summary = run(&mut drain).await;
    assert_eq!(counted(&summary, [Metric::Delivered, Metric::Unregistered]), [20, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn c12_a_payload_fault_leaves_the_token_and_c13_the_exact_message_marks_it() {
    let setup = Setup::new().await;
    let server = Server::start(Options::default()).await.expect("the server starts");
    server.script("token-0", [Reply::violation("message.token", "Invalid value"), Reply::invalid_token()]);
    let mut drain = drain_of(&setup, &server);
    enqueue(&setup, "e1", 1).await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Rejected, Metric::Unregistered]), [1, 0]);
    assert_eq!((setup.left().await, dead_tokens(&setup).await), (0, 0));
    enqueue(&setup, "e2", 1).await;
    assert_eq!(counted(&run(&mut drain).await, [Metric::Rejected, Metric::Unregistered]), [0, 1]);
    assert_eq!((setup.left().await, dead_tokens(&setup).await), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn c14_a_sender_that_is_not_ours_for_everyone_is_our_fault_and_marking_stops() {
    let setup = Setup::new().await;
    let server = Server::start(Options::default()).await.expect("the server starts");
    server.answer_all(Reply::status(403, "SENDER_ID_MISMATCH"));
    enqueue(&setup, "e1", 100).await;
    let summary = run(&mut drain_of(&setup, &server)).await;
    let [marked, paused] = counted(&summary, [Metric::Unregistered, Metric::Paused]);
    // A slow drain outlasts its first pause, and the probe prolongs it.
    assert!(marked < 50 && paused >= 1, "{marked} marked, {paused} paused");
    let left = u64::try_from(setup.left().await).expect("a count");
    assert_eq!(left + marked, 100, "the others are kept");
}

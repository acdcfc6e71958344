//! A stack comes up with its schema and its queues, and leaves nothing behind.

use std::collections::BTreeSet;
use std::time::Duration;

use local::postgres::{self, Cluster};
use local::sqs::Counts;
use local::stack::{ANDROID, APP, DEAD_WAKES, Options, Stack, WAKES, WEB};
use serde_json::json;
use sqlx::{Connection, PgConnection};

#[tokio::test]
async fn a_stack_of_its_own_is_migrated_by_the_real_function_and_removes_its_cluster() {
    let stack = Stack::start(Options { schedule_every: None, ..Options::default() }).await.unwrap();
    let mut connection = PgConnection::connect_with(&stack.connect_options()).await.unwrap();
    let lanes: i64 = sqlx::query_scalar("select count(*) from lanes").fetch_one(&mut connection).await.unwrap();
    assert_eq!(lanes, 0);
    connection.close().await.unwrap();
    assert_eq!(stack.migrate.counts().answered, 1);
    let pid = stack.migrate.pids()[0];
    let folder = stack.cluster().folder().to_owned();
    stack.stop().await.unwrap();
    assert!(!folder.exists(), "{} was left behind", folder.display());
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "an instance was left behind");
}

#[tokio::test]
async fn two_stacks_over_one_cluster_share_neither_database_nor_queue() {
    let cluster = Cluster::start(postgres::Options::default()).await.unwrap();
    let options = Options { cluster: Some(cluster.clone()), schedule_every: None, ..Options::default() };
    let first = Stack::start(options.clone()).await.unwrap();
    first.stop_drains().await;
    let template = first.connect_options().get_database().unwrap().to_owned();
    let second = Stack::start(Options { template: Some(template), ..options }).await.unwrap();
    second.stop_drains().await;
    assert_ne!(first.connect_options().get_database(), second.connect_options().get_database());
    first.sqs.send(WAKES, "", None).await.unwrap();
    assert_eq!(first.sqs.counts(WAKES).total(), 1);
    assert_eq!(second.sqs.counts(WAKES), Counts::default());
    assert_eq!(first.sqs.counts(DEAD_WAKES), Counts::default());
    second.stop().await.unwrap();
    first.stop().await.unwrap();
    assert!(cluster.folder().exists(), "the cluster belongs to its owner");
}

/// A request with one device; `n` is the device's sequence number.
fn request(device: &str, token: &str, n: u64) -> serde_json::Value {
    json!({
        "v": 1, "source": "shop", "event": format!("order-{device}-{n}"),
        "notification": {"title": "Ordered", "body": "It is on its way", "data": {"n": n}},
        "devices": [{"id": device, "app": APP, "token": token}],
    })
}

#[tokio::test]
async fn what_is_enqueued_is_delivered_by_the_real_functions_in_order() {
    let stack = Stack::start(Options { schedule_every: None, ..Options::default() }).await.unwrap();
    for n in 1..=3 {
        let answer = stack.enqueue(&request("phone", "00aa00aa", n)).await.unwrap();
        assert_eq!(answer["results"][0]["status"], "queued", "{answer}");
    }
    let tally = soon(stack.apns.wait_until(|tally| tally.delivered == 3)).await;
    assert_eq!((tally.second_flights, tally.order_violations), (0, 0));
    stack.stop_drains().await;
    assert_eq!(stack.sqs.counts(DEAD_WAKES), Counts::default());
    let errors = |line: &local::runtime_api::Line| line.text.contains(r#""level":"ERROR""#);
    assert_eq!(stack.drain.output().find(errors), None);
    stack.stop().await.unwrap();
}

#[tokio::test]
async fn one_call_reaches_devices_of_several_platforms_each_in_order() {
    let stack = Stack::start(Options { schedule_every: None, ..Options::default() }).await.unwrap();
    let subscription = stack.webpush.subscribe("laptop");
    for n in 1..=3 {
        let mut request = request("phone", "00aa00aa", n);
        request["notification"]["data"]["n"] = json!(n.to_string());
        let browser = json!({"id": "laptop", "app": WEB, "subscription": subscription});
        let android = json!({"id": "tablet", "app": ANDROID, "token": "token-of-the-tablet"});
        request["devices"].as_array_mut().unwrap().extend([browser, android]);
        let answer = stack.enqueue(&request).await.unwrap();
        assert!(answer["results"].as_array().unwrap().iter().all(|result| result["status"] == "queued"), "{answer}");
    }
    for tally in [
        soon(stack.apns.wait_until(|tally| tally.delivered == 3)).await,
        soon(stack.fcm.wait_until(|tally| tally.delivered == 3)).await,
        soon(stack.webpush.wait_until(|tally| tally.delivered == 3)).await,
    ] {
        assert_eq!((tally.second_flights, tally.order_violations, tally.duplicates), (0, 0, 0));
    }
    let read = stack.webpush.requests_of("laptop").pop().unwrap().asked.plaintext.unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&read).unwrap()["title"], "Ordered");
    stack.stop().await.unwrap();
}

#[tokio::test]
async fn the_wake_of_a_drain_that_was_killed_comes_back_to_a_new_one() {
    let stack = Stack::start(Options { schedule_every: None, ..Options::default() }).await.unwrap();
    stack.apns.gate().close();
    stack.enqueue(&request("phone", "00aa00aa", 1)).await.unwrap();
    soon(stack.apns.wait_until(|tally| tally.in_flight == 1)).await;
    let killed = stack.drain.kill_one().await.expect("a drain is sending");
    soon(stack.apns.wait_until(|tally| tally.in_flight == 0)).await;
    stack.apns.gate().open();
    // The mapping has seen the crash, and leaves the message hidden.
    soon(stack.until(|activity| activity.failed == 1)).await;
    assert_eq!((stack.sqs.counts(WAKES).in_flight, stack.drain.counts().crashed), (1, 1));

    // Both time-outs pass.
    let mut connection = PgConnection::connect_with(&stack.connect_options()).await.unwrap();
    sqlx::query("update lanes set lease_until = now()").execute(&mut connection).await.unwrap();
    stack.sqs.expire_visibility(WAKES);
    let tally = soon(stack.apns.wait_until(|tally| tally.delivered == 1)).await;
    assert_eq!(tally.requests, 2);
    assert!(!stack.drain.pids().contains(&killed));
    let ids: BTreeSet<_> = stack.apns.requests().into_iter().map(|request| request.asked.apns_id).collect();
    assert_eq!(ids.len(), 1, "it is the same notification to APNs");
    connection.close().await.unwrap();
    stack.stop().await.unwrap();
}

/// Long enough for a busy machine.
async fn soon<T>(happens: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), happens).await.expect("it happens soon")
}

//! Wakes: of any body, lost, doubled, replayed, delayed. A wake only ever means "look at Postgres".

use std::time::Duration;

use local::apns::{self, Reply};
use local::sqs::Fault;
use local::stack::{self, DEAD_WAKES, WAKES};
use pushwake::contract::WakeStatus;
use pushwake::wake::Wake;
use serde_json::{Value, json};
use tests::barrier::soon;
use tests::product::{Product, acknowledged, event, options, wake_event};

/// What stands in a queue by mistake or malice.
fn odd_bodies() -> Vec<String> {
    let other_service = json!({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "b"}).to_string();
    let text = "x".repeat(256 * 1024);
    let of_our_shape = json!({"v": 1, "why": "because", "hop": -1}).to_string();
    let words = ["null", "{", "[]", "17", "true", "\"\"", "wake up"].map(str::to_owned);
    words.into_iter().chain([other_service, text, of_our_shape]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn c15_any_body_acts_as_one_plain_wake_and_is_acknowledged() {
    let product = Product::start().await;
    for (n, body) in (1..).zip(odd_bodies()) {
        product.queue_in_silence(n, [0]).await;
        product.stack.sqs.send(WAKES, &body, None).await.expect("SQS takes it");
        product.until(|tally| tally.delivered == n).await;
        product.until_quiet().await;
        assert_eq!(product.total("wake_malformed").await, n, "{}", &body[..body.len().min(60)]);
    }
    assert_eq!(product.stack.activity().failed, 0);
    assert_eq!(product.stack.sqs.counts(DEAD_WAKES).total(), 0);
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c15_any_event_acts_as_one_plain_wake_and_is_acknowledged() {
    let product = Product::without_drains().await;
    let scheduled = json!({"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}}).to_string();
    let several = wake_event(&["", "null", "{", r#"{"v":1,"why":"retry","hop":3}"#]);
    let malformed = [
        ("\"\"", 1),
        ("null", 1),
        ("17", 1),
        ("[]", 1),
        ("{}", 1),
        (r#"{"Records":[]}"#, 1),
        (r#"{"Records":[{"messageId":"m"},{"body":17},{"body":"\ud800"},null]}"#, 4),
        (&scheduled, 1),
        (&several, 3),
    ];
    let mut counted = 0;
    for (n, (event, odd)) in (1..).zip(malformed) {
        product.queue(n, [0]).await;
        let drained = product.stack.drain.invoke(event.to_owned()).await;
        assert!(acknowledged(&drained), "{event}: {drained:?}");
        assert_eq!(product.apns().tally().delivered, n, "{event}");
        counted += odd;
        assert_eq!(product.total("wake_malformed").await, counted, "{event}");
    }
    assert_eq!(product.summaries().await.last().expect("a drain")["hop"], 3, "the wake among them is read");
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c20_whatever_becomes_of_every_wake_one_run_of_schedule_delivers_everything() {
    let product = Product::with(stack::Options { max_receives: 1, ..options().await }).await;
    let lost = [(1, Some(Fault::Discard)), (2, Some(Fault::Fail)), (3, Some(Fault::Hang)), (4, None)];
    for (n, fault) in lost {
        product.stack.sqs.set_fault(fault);
        if fault.is_none() {
            product.stack.sqs.refuse_connections().await;
        }
        let response = product.queue(n, [n as usize]).await;
        let posted = if n == 1 { WakeStatus::Posted } else { WakeStatus::Failed };
        assert_eq!(response.wake, posted, "{fault:?}");
    }
    product.stack.sqs.set_fault(None);
    product.stack.sqs.accept_connections().await;
    assert_eq!(product.apns().tally().requests, 0, "nothing has woken a drain");
    dead_letter(&product, 5).await;
    let topped_up = product.schedule().await;
    // Four rows wait, and the lease of the fifth has just ended.
    assert_eq!(topped_up["wake_posted"], 5);
    product.until(|tally| tally.delivered == 5).await;
    product.until_quiet().await;
    assert_eq!(product.left().await, 0);
    product.stop().await;
}

/// The drain of E(n)'s wake dies of it, and the wake becomes a dead letter.
async fn dead_letter(product: &Product, n: u64) {
    // Only E(n) is due meanwhile: the wake must not deliver what lost its own.
    product.database.execute("update lanes set due_at = due_at + interval '1 hour'").await;
    product.apns().gate().close();
    product.queue(n, [n as usize]).await;
    product.until(|tally| tally.in_flight == 1).await;
    product.stack.drain.kill_one().await.expect("a drain to kill");
    soon(product.stack.until(|activity| activity.running == 0)).await;
    product.stack.sqs.expire_visibility(WAKES);
    soon(product.stack.sqs.until(DEAD_WAKES, |counts| counts.total() == 1)).await;
    product.apns().gate().open();
    product.database.execute("update lanes set due_at = due_at - interval '1 hour' where lease_token is null").await;
    product.database.end_leases().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c21_wakes_that_come_twice_at_once_or_again_in_reverse_neither_double_nor_fail_anything() {
    const DEVICES: usize = 300;
    let latency = apns::Latency::Fixed(Duration::from_millis(50));
    let apns = apns::Options { latency, ..apns::Options::default() };
    let product = Product::with(stack::Options { apns, duplicates: Some((1.0, 21)), ..options().await }).await;
    for n in 1..=3 {
        product.queue(n, 0..DEVICES).await;
    }
    product.until(|tally| tally.delivered == 3 * DEVICES as u64).await;
    product.until_quiet().await;
    let wakes = product.stack.sqs.sent(WAKES);
    assert!(product.stack.activity().invocations >= 2 * wakes.len() as u64, "each came twice");
    for wake in wakes.iter().rev() {
        product.stack.sqs.send(WAKES, &wake.body, None).await.expect("SQS takes it");
    }
    product.until_quiet().await;
    let tally = product.apns().tally();
    assert_eq!(tally.requests, 3 * DEVICES as u64);
    assert_eq!((tally.duplicates, tally.second_flights, tally.order_violations), (0, 0, 0));
    assert_eq!((product.stack.activity().failed, product.total("wake_malformed").await), (0, 0));
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c23_a_retry_in_silence_is_woken_for_at_its_time() {
    const AFTER: Duration = Duration::from_secs(16);
    let product = Product::start().await;
    product.apns().answer_all(Reply::status(503, "ServiceUnavailable").retry_after("16"));
    product.queue(1, [0]).await;
    let posted = soon(product.stack.sqs.until_sent(WAKES, 2)).await;
    let retry = Wake::read(&posted[1].body).expect("a wake of ours");
    assert_eq!((retry.hop, posted[1].delay), (1, AFTER));
    soon(product.stack.until(|activity| activity.running == 0)).await;
    product.apns().answer_all(Reply::delivered());
    assert_eq!(product.stack.sqs.counts(WAKES).delayed, 1);
    // 16 s later, with no other event and no schedule.
    let due = "due_at = due_at - interval '16 s', rest_until = rest_until - interval '16 s'";
    product.database.execute(&format!("update lanes set {due}")).await;
    product.stack.sqs.advance(AFTER);
    product.until(|tally| tally.delivered == 1).await;
    product.until_quiet().await;
    assert_eq!((product.apns().tally().requests, product.stack.schedule.counts().answered), (2, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c24_a_caller_whose_enqueue_died_between_commit_and_wake_tries_again_and_nothing_is_sent_twice() {
    const DEVICES: usize = 5;
    let product = Product::start().await;
    product.stack.sqs.set_fault(Some(Fault::Hang));
    let first = async {
        let died = product.stack.enqueue(&event(1, 0..DEVICES)).await;
        assert!(died.is_err(), "{died:?}");
    };
    let killed = async {
        soon(product.stack.sqs.until_sent(WAKES, 1)).await;
        product.stack.enqueue.kill_one().await.expect("an enqueue to kill");
    };
    tokio::join!(first, killed);
    product.stack.sqs.set_fault(None);
    assert_eq!(product.left().await, DEVICES as i64, "it had committed");
    let again: Value = product.stack.enqueue(&event(1, 0..DEVICES)).await.expect("an answer");
    assert_eq!(again["wake"], "posted");
    assert!(again["results"].as_array().expect("results").iter().all(|one| one["status"] == "duplicate"), "{again}");
    product.until(|tally| tally.delivered == DEVICES as u64).await;
    product.until_quiet().await;
    assert_eq!(product.apns().tally().requests, DEVICES as u64);
    product.stop().await;
}

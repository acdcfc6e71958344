//! A feedback queue that fails: nothing is lost, nothing waits for it long, and schedule posts what is left.

use std::time::{Duration, Instant};

use aws_sdk_sqs::types::QueueAttributeName::MaximumMessageSize;
use local::sqs::Fault;
use local::stack::FEEDBACK;
use pushwake::limits::WAKE_POST;
use serde_json::Value;
use tests::barrier::until;
use tests::product::{Product, lines};
use tests::sdk::sdk;

use crate::{bodies, plant, queue_for_dead_tokens, unposted, unregistered};

const LEFT_BY_DRAIN: &str = "feedback is left in the outbox; schedule will post it";
const LEFT_BY_SCHEDULE: &str = "feedback is left in the outbox; the next run will post it";

/// The one line of this message, once it has arrived.
async fn only_line(product: &Product, message: &str) -> Value {
    let all = || [lines(&product.stack.drain, message), lines(&product.stack.schedule, message)].concat();
    until(|| async { !all().is_empty() }).await;
    let mut all = all();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// Three tokens die while the queue is away; a drain and a run of schedule fail to say so, and then one succeeds.
async fn survives(reason: &str, take_away: impl AsyncFnOnce(&Product), mend: impl AsyncFnOnce(&Product)) {
    let product = Product::without_drains().await;
    product.warm(1).await;
    queue_for_dead_tokens(&product, 3).await;
    take_away(&product).await;
    let start = Instant::now();
    product.drain().await;
    let took = start.elapsed();
    assert!(took < WAKE_POST + Duration::from_secs(3), "one bounded post: {took:?}");
    let line = only_line(&product, LEFT_BY_DRAIN).await;
    let error = line["error"].as_str().expect("its error");
    assert!(line["level"] == "WARN" && error.contains(reason) && error.contains("FEEDBACK_QUEUE_URL"), "{line}");
    assert_eq!(product.schedule().await["feedback_posted"], 0);
    assert_eq!(only_line(&product, LEFT_BY_SCHEDULE).await["level"], "ERROR");
    assert_eq!(product.errors().len(), 1, "{:?}", product.errors());
    assert_eq!((bodies(&product).len(), unposted(&product.database).await), (0, 3));
    mend(&product).await;
    // Both gave back what they took, so that it is found at once.
    assert_eq!(product.schedule().await["feedback_posted"], 3);
    assert_eq!(unregistered(&product), ["d0", "d1", "d2"]);
    assert_eq!(product.schedule().await["feedback_posted"], 0);
    assert_eq!((bodies(&product).len(), unposted(&product.database).await), (3, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_sqs_answers_with_500_is_posted_by_schedule() {
    survives(
        "3 feedback messages could not be posted: InternalFailure",
        async |product| product.stack.sqs.set_fault(Some(Fault::Fail)),
        async |product| product.stack.sqs.set_fault(None),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_queue_that_hangs_does_not_take_is_posted_by_schedule() {
    survives(
        "no answer in time",
        async |product| product.stack.sqs.set_fault(Some(Fault::Hang)),
        async |product| product.stack.sqs.set_fault(None),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_queue_that_refuses_connections_does_not_take_is_posted_by_schedule() {
    survives(
        "no connection",
        async |product| product.stack.sqs.refuse_connections().await,
        async |product| product.stack.sqs.accept_connections().await,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_batch_that_is_taken_in_part_only_the_rest_is_posted_again() {
    let product = Product::without_drains().await;
    queue_for_dead_tokens(&product, 25).await;
    product.stack.sqs.set_fault(Some(Fault::FailSecond));
    product.drain().await;
    let line = only_line(&product, LEFT_BY_DRAIN).await;
    let taken = bodies(&product).len();
    assert!((1..25).contains(&taken), "{taken}");
    assert_eq!(line["messages"], taken);
    assert!(line["error"].as_str().is_some_and(|error| error.contains("InternalError")), "{line}");
    assert_eq!(unposted(&product.database).await, 25 - taken as i64);
    product.stack.sqs.set_fault(None);
    assert_eq!(product.schedule().await["feedback_posted"], 25 - taken);
    let mut devices = unregistered(&product);
    devices.dedup();
    assert_eq!((devices.len(), bodies(&product).len(), unposted(&product.database).await), (25, 25, 0));
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_sqs_refuses_for_ever_does_not_hide_what_lies_behind_it() {
    let product = Product::without_drains().await;
    let sqs = aws_sdk_sqs::Client::new(&sdk(product.stack.sqs.url()));
    let set = sqs.set_queue_attributes().queue_url(product.stack.sqs.queue_url(FEEDBACK));
    set.attributes(MaximumMessageSize, "1024").send().await.expect("an attribute");
    plant(&product.database, 160).await;
    // The oldest, and more than one round takes.
    product.database.execute("update dead_tokens set device = repeat('x', 1024) where device > 'd10'").await;
    let refused = product.database.count("select count(*) from dead_tokens where device like 'x%'").await;
    assert!((120..160).contains(&refused), "{refused}");
    assert_eq!(product.schedule().await["feedback_posted"], 160 - refused);
    let line = only_line(&product, LEFT_BY_SCHEDULE).await;
    let expected = format!("{refused} feedback messages could not be posted: InvalidParameterValue");
    assert!(line["error"].as_str().is_some_and(|error| error.starts_with(&expected)), "{line}");
    assert_eq!(unposted(&product.database).await, refused, "nothing is dropped for being refused");
    product.stop().await;
}

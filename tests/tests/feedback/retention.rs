//! Without a feedback queue the outbox ends with its retention.

use local::stack::{self, FEEDBACK};
use pushwake::feedback::{FeedbackQueue, Posted};
use pushwake::limits::FEEDBACK_OF_SCHEDULE;
use pushwake::wake::WakeQueue;
use tests::product::{Product, options};
use tests::sdk::sdk;
use tokio::time::Instant;

use crate::{messages, queue_for_dead_tokens, unposted, unregistered};

#[tokio::test(flavor = "multi_thread")]
async fn without_a_feedback_queue_the_outbox_is_kept_for_its_retention() {
    let environment = vec![("FEEDBACK_QUEUE_URL".to_owned(), String::new())];
    let product = Product::with(stack::Options { environment, ..options().await }).await;
    product.stack.stop_drains().await;
    queue_for_dead_tokens(&product, 2).await;
    product.drain().await;
    let ended = "insert into past_pauses (app, resumed_at, reason) values ('web', now(), 'BadVapid')";
    product.database.execute(ended).await;
    let run = product.schedule().await;
    assert_eq!((&run["feedback_posted"], &run["retired"]), (&0.into(), &0.into()));
    assert_eq!((messages(&product).len(), unposted(&product.database).await), (0, 3));
    // One of them is past it, posted or not.
    product
        .database
        .execute(
            "update dead_tokens set recorded_at = recorded_at - interval '91 days' where device = 'd0';
             update past_pauses set resumed_at = resumed_at - interval '15 days'",
        )
        .await;
    assert_eq!(product.schedule().await["retired"], 2);
    assert_eq!(product.errors(), [""; 0]);
    // A queue that is configured later gets the rest.
    let wakes = WakeQueue::with_config(&sdk(product.stack.sqs.url()), "unused");
    let queue = FeedbackQueue::beside(&wakes, product.stack.sqs.queue_url(FEEDBACK));
    let posted = queue.post(&product.database.queue(1), Instant::now() + FEEDBACK_OF_SCHEDULE).await;
    assert!(matches!(posted, Posted { messages: 1, error: None }), "{posted:?}");
    assert_eq!(unregistered(&product), ["d1"]);
    product.stop().await;
}

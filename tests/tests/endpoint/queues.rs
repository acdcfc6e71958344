//! SQS beside Lambda, at the same endpoint.

use local::stack::{DEAD_WAKES, FEEDBACK, WAKES};
use tests::sdk::sdk;

use crate::Served;

#[tokio::test]
async fn the_queues_of_the_stack_are_reached_through_the_endpoint_that_lambda_is_reached_through() {
    let served = Served::start().await;
    let sqs = aws_sdk_sqs::Client::new(&sdk(served.serving.url()));
    let urls = sqs.list_queues().send().await.expect("the queues");
    let expected = [FEEDBACK, WAKES, DEAD_WAKES].map(|name| served.serving.queue_url(name));
    assert_eq!(urls.queue_urls(), expected);
    let named = sqs.get_queue_url().queue_name(FEEDBACK).send().await.expect("the URL of a queue");
    assert_eq!(named.queue_url(), Some(expected[0].as_str()));
    served.stop().await;
}

#[tokio::test]
async fn a_url_that_was_handed_out_takes_messages_and_gives_them() {
    let served = Served::start().await;
    let sqs = aws_sdk_sqs::Client::new(&sdk(served.serving.url()));
    let url = sqs.create_queue().queue_name("orders").send().await.expect("a queue").queue_url.expect("its URL");
    sqs.send_message().queue_url(&url).message_body("one").send().await.expect("it is sent");
    // Also through the URL itself, as clients that know no endpoint do, and through the endpoint of the functions.
    let by_url = aws_sdk_sqs::Client::new(&sdk(&url));
    by_url.send_message().queue_url(&url).message_body("two").send().await.expect("it is sent");
    let of_functions = aws_sdk_sqs::Client::new(&sdk(served.product.stack.sqs.url()));
    let mut bodies = Vec::new();
    for client in [&sqs, &of_functions] {
        let received = client.receive_message().queue_url(&url).send().await.expect("an answer");
        bodies.extend(received.messages().iter().filter_map(|message| message.body().map(str::to_owned)));
    }
    bodies.sort();
    assert_eq!(bodies, ["one", "two"]);
    served.stop().await;
}

//! What a message carries, and what it may not.

use std::collections::HashMap;

use aws_sdk_sqs::{
    primitives::Blob,
    types::{
        MessageAttributeValue, MessageSystemAttributeName, MessageSystemAttributeNameForSends,
        MessageSystemAttributeValue, QueueAttributeName,
    },
};

use crate::subject::{Subject, refused};

const MEBIBYTE: usize = 1_048_576;

fn string(value: &str) -> MessageAttributeValue {
    MessageAttributeValue::builder().data_type("String").string_value(value).build().unwrap()
}

fn attributes() -> HashMap<String, MessageAttributeValue> {
    let raw = MessageAttributeValue::builder().data_type("Binary").binary_value(Blob::new([0, 1, 2, 255])).build();
    let number = MessageAttributeValue::builder().data_type("Number").string_value("12").build();
    HashMap::from([
        ("city".to_owned(), string("Zürich")),
        ("n".to_owned(), number.unwrap()),
        ("raw".to_owned(), raw.unwrap()),
    ])
}

pub async fn a_message_comes_back_as_it_was_sent(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let request = subject.sqs.send_message().queue_url(&queue).message_body("grüße \"🎈\"\n\t\\u0041");
    let sent = request.set_message_attributes(Some(attributes())).send().await.unwrap();
    // Computed elsewhere: `md5sum`, and the algorithm that AWS documents, in Python.
    assert_eq!(sent.md5_of_message_body.as_deref(), Some("902f5c1f2ddb4fe48e62e496bdd99c2d"));
    assert_eq!(sent.md5_of_message_attributes.as_deref(), Some("7d89682372008e7b198562bc08f8507c"));

    let message = subject.receive(&queue, 1).await.unwrap();
    assert_eq!(message.message_id, sent.message_id);
    assert_eq!(message.body.as_deref(), Some("grüße \"🎈\"\n\t\\u0041"));
    assert_eq!(message.md5_of_body, sent.md5_of_message_body);
    assert_eq!(message.message_attributes, Some(attributes()));
    assert_eq!(message.md5_of_message_attributes, sent.md5_of_message_attributes);
    let system = message.attributes.unwrap();
    assert_eq!(system[&MessageSystemAttributeName::ApproximateReceiveCount], "1");
    let time = |name: MessageSystemAttributeName| system[&name].parse::<u64>().unwrap();
    let sent_at = time(MessageSystemAttributeName::SentTimestamp);
    assert!(sent_at > 1_600_000_000_000, "milliseconds");
    assert!(time(MessageSystemAttributeName::ApproximateFirstReceiveTimestamp) >= sent_at);
}

pub async fn only_the_attributes_asked_for_are_answered(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::VisibilityTimeout, "0")]).await;
    let send = subject.sqs.send_message().queue_url(&queue).message_body("wake");
    send.set_message_attributes(Some(attributes())).send().await.unwrap();

    let receive = || subject.sqs.receive_message().queue_url(&queue).wait_time_seconds(5);
    let none = receive().send().await.unwrap().messages.unwrap().remove(0);
    assert_eq!((none.attributes, none.message_attributes, none.md5_of_message_attributes), (None, None, None));

    let some = receive()
        .message_attribute_names("n")
        .message_system_attribute_names(MessageSystemAttributeName::ApproximateReceiveCount);
    let some = some.send().await.unwrap().messages.unwrap().remove(0);
    assert_eq!(some.attributes.unwrap().len(), 1);
    assert_eq!(some.message_attributes.unwrap().keys().collect::<Vec<_>>(), ["n"]);
    assert_eq!(some.md5_of_message_attributes.as_deref(), Some("fb15aa095c960d23a9b4b638d9dccc6f"));

    let prefixed = receive().message_attribute_names("ci.*").send().await.unwrap().messages.unwrap().remove(0);
    assert_eq!(prefixed.message_attributes.unwrap().keys().collect::<Vec<_>>(), ["city"]);
}

pub async fn a_mebibyte_is_taken_and_one_byte_more_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    // Two bytes a character: bytes count.
    let body = "ü".repeat(MEBIBYTE / 2);
    subject.send(&queue, &body).await;
    assert_eq!(subject.receive(&queue, 1).await.unwrap().body.unwrap(), body);
    let longer = subject.sqs.send_message().queue_url(&queue).message_body(body + "x").send().await;
    assert_eq!(refused(longer), "InvalidParameterValue");

    let small = subject.queue(&[(QueueAttributeName::MaximumMessageSize, "1024")]).await;
    let longer = subject.sqs.send_message().queue_url(&small).message_body("x".repeat(1_025)).send().await;
    assert_eq!(refused(longer), "InvalidParameterValue");
}

pub async fn attributes_count_in_the_size_of_a_message(subject: &Subject) {
    let queue = subject.queue(&[(QueueAttributeName::MaximumMessageSize, "1024")]).await;
    let send = || subject.sqs.send_message().queue_url(&queue).message_body("x".repeat(1_024 - 16));
    // Name, type and value: 4 + 6 + 6 bytes.
    send().message_attributes("name", string("sixsix")).send().await.unwrap();
    let longer = send().message_attributes("name", string("sixsix7")).send().await;
    assert_eq!(refused(longer), "InvalidParameterValue");
}

pub async fn a_character_outside_xml_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    for body in ["\0", "wake\u{1}", "\u{FFFE}", "\u{FFFF}"] {
        let sent = subject.sqs.send_message().queue_url(&queue).message_body(body).send().await;
        let error = sent.unwrap_err().into_service_error();
        assert!(error.is_invalid_message_contents(), "{body:?}: {error:?}");
    }
}

pub async fn an_empty_body_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let sent = subject.sqs.send_message().queue_url(&queue).message_body("").send().await;
    assert_eq!(refused(sent), "MissingParameter");
}

pub async fn a_delay_above_fifteen_minutes_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    for delay in [901, -1] {
        let send = subject.sqs.send_message().queue_url(&queue).message_body("wake").delay_seconds(delay);
        assert_eq!(refused(send.send().await), "InvalidParameterValue");
    }
    let longest = subject.sqs.send_message().queue_url(&queue).message_body("wake").delay_seconds(900);
    longest.send().await.unwrap();
    assert_eq!(subject.counts(&queue).await, [0, 0, 1]);
}

fn trace() -> MessageSystemAttributeValue {
    let value = MessageSystemAttributeValue::builder().data_type("String").string_value("Root=1-5759e988-bd862e3f");
    value.build().unwrap()
}

pub async fn a_trace_header_travels_with_the_message(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let send = subject.sqs.send_message().queue_url(&queue).message_body("wake");
    let send = send.message_system_attributes(MessageSystemAttributeNameForSends::AwsTraceHeader, trace());
    send.send().await.unwrap();
    let system = subject.receive(&queue, 1).await.unwrap().attributes.unwrap();
    assert_eq!(system[&MessageSystemAttributeName::AwsTraceHeader], "Root=1-5759e988-bd862e3f");
}

pub async fn system_attributes_have_a_sum_of_their_own(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let request = subject.sqs.send_message().queue_url(&queue).message_body("wake");
    let request = request.message_system_attributes(MessageSystemAttributeNameForSends::AwsTraceHeader, trace());
    let sent = request.send().await.unwrap();
    assert_eq!(sent.md5_of_message_system_attributes.as_deref(), Some("c9a9fb1ca0c7278f13b37f55483e8d9e"));
    assert_eq!(sent.md5_of_message_attributes, None);
}

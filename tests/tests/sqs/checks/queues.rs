//! Queues and their attributes.

use aws_sdk_sqs::types::QueueAttributeName::{
    self, DelaySeconds, MaximumMessageSize, MessageRetentionPeriod, QueueArn, ReceiveMessageWaitTimeSeconds,
    RedrivePolicy, VisibilityTimeout,
};

use crate::subject::{Subject, fresh_name, refused};

pub async fn a_queue_created_again_answers_the_same_url(subject: &Subject) {
    let name = fresh_name();
    let create = || subject.sqs.create_queue().queue_name(&name).attributes(VisibilityTimeout, "270").send();
    let first = create().await.unwrap().queue_url.unwrap();
    assert_eq!(create().await.unwrap().queue_url.unwrap(), first);
    let without = subject.sqs.create_queue().queue_name(&name).send().await.unwrap();
    assert_eq!(without.queue_url.unwrap(), first, "attributes that aren't named are as they are");
    let found = subject.sqs.get_queue_url().queue_name(&name).send().await.unwrap();
    assert_eq!(found.queue_url.unwrap(), first);
}

pub async fn a_queue_created_again_with_another_attribute_is_refused(subject: &Subject) {
    let name = fresh_name();
    let create = |visibility: &str| {
        subject.sqs.create_queue().queue_name(&name).attributes(VisibilityTimeout, visibility).send()
    };
    create("270").await.unwrap();
    let error = create("30").await.unwrap_err().into_service_error();
    assert!(error.is_queue_name_exists(), "{error:?}");
}

pub async fn a_new_queue_has_the_documented_defaults(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    for (name, default) in [
        (VisibilityTimeout, "30"),
        (DelaySeconds, "0"),
        (MessageRetentionPeriod, "345600"),
        (MaximumMessageSize, "1048576"),
        (ReceiveMessageWaitTimeSeconds, "0"),
    ] {
        assert_eq!(subject.attribute(&queue, name.clone()).await.as_deref(), Some(default), "{name}");
    }
    let arn = subject.attribute(&queue, QueueArn).await.unwrap();
    let name = queue.rsplit('/').next().unwrap();
    assert!(arn.starts_with("arn:aws:sqs:eu-central-1:") && arn.ends_with(&format!(":{name}")), "{arn}");
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn attributes_are_read_back_as_they_were_set(subject: &Subject) {
    let queue = subject.queue(&[(DelaySeconds, "7")]).await;
    let set = subject.sqs.set_queue_attributes().queue_url(&queue);
    set.attributes(VisibilityTimeout, "270").attributes(MaximumMessageSize, "1024").send().await.unwrap();
    for (name, value) in [(VisibilityTimeout, "270"), (MaximumMessageSize, "1024"), (DelaySeconds, "7")] {
        assert_eq!(subject.attribute(&queue, name.clone()).await.as_deref(), Some(value), "{name}");
    }
}

pub async fn an_attribute_out_of_its_range_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    for (name, value) in [
        (VisibilityTimeout, "43201"),
        (DelaySeconds, "901"),
        (MessageRetentionPeriod, "59"),
        (MaximumMessageSize, "1048577"),
        (ReceiveMessageWaitTimeSeconds, "21"),
        (VisibilityTimeout, "soon"),
    ] {
        let create = subject.sqs.create_queue().queue_name(fresh_name()).attributes(name.clone(), value);
        assert_eq!(refused(create.send().await), "InvalidAttributeValue", "{name}");
        let set = subject.sqs.set_queue_attributes().queue_url(&queue).attributes(name.clone(), value);
        assert_eq!(refused(set.send().await), "InvalidAttributeValue", "{name}");
    }
}

pub async fn an_unknown_attribute_is_refused(subject: &Subject) {
    let unknown = QueueAttributeName::from("VisibilityTimeOut");
    let create = subject.sqs.create_queue().queue_name(fresh_name()).attributes(unknown.clone(), "30");
    assert_eq!(refused(create.send().await), "InvalidAttributeName");
    let queue = subject.queue(&[]).await;
    let get = subject.sqs.get_queue_attributes().queue_url(&queue).attribute_names(unknown);
    assert_eq!(refused(get.send().await), "InvalidAttributeName");
}

pub async fn no_attribute_is_answered_unasked(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let answer = subject.sqs.get_queue_attributes().queue_url(&queue).send().await.unwrap();
    assert_eq!(answer.attributes, None);
    assert_eq!(subject.attribute(&queue, RedrivePolicy).await, None, "asked for, and not set");
}

pub async fn queues_are_listed_by_prefix_and_in_pages(subject: &Subject) {
    let prefix = fresh_name();
    let mut urls = Vec::new();
    for n in 0..3 {
        let create = subject.sqs.create_queue().queue_name(format!("{prefix}-{n}"));
        urls.push(create.send().await.unwrap().queue_url.unwrap());
    }
    let list = || subject.sqs.list_queues().queue_name_prefix(&prefix);
    assert_eq!(list().send().await.unwrap().queue_urls.unwrap_or_default(), urls);
    let first = list().max_results(2).send().await.unwrap();
    assert_eq!(first.queue_urls.unwrap_or_default(), urls[..2]);
    let second = list().max_results(2).next_token(first.next_token.unwrap()).send().await.unwrap();
    assert_eq!(second.queue_urls.unwrap_or_default(), urls[2..]);
    assert_eq!(second.next_token, None);
}

pub async fn an_unknown_queue_is_refused_by_every_action(subject: &Subject) {
    let known = subject.queue(&[]).await;
    let url = known.replace(known.rsplit('/').next().unwrap(), "nobody-made-this");
    let sqs = &subject.sqs;
    let by_name = sqs.get_queue_url().queue_name("nobody-made-this").send().await.unwrap_err().into_service_error();
    assert!(by_name.is_queue_does_not_exist(), "{by_name:?}");
    let sent = sqs.send_message().queue_url(&url).message_body("wake").send().await.unwrap_err().into_service_error();
    assert!(sent.is_queue_does_not_exist(), "{sent:?}");
    for code in [
        refused(sqs.receive_message().queue_url(&url).send().await),
        refused(sqs.delete_message().queue_url(&url).receipt_handle("receipt").send().await),
        refused(sqs.get_queue_attributes().queue_url(&url).attribute_names(QueueArn).send().await),
        refused(sqs.set_queue_attributes().queue_url(&url).attributes(DelaySeconds, "1").send().await),
        refused(sqs.purge_queue().queue_url(&url).send().await),
        refused(sqs.delete_queue().queue_url(&url).send().await),
    ] {
        assert_eq!(code, "AWS.SimpleQueueService.NonExistentQueue");
    }
}

pub async fn a_deleted_queue_is_unknown(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.sqs.delete_queue().queue_url(&queue).send().await.unwrap();
    let sent = subject.sqs.send_message().queue_url(&queue).message_body("wake").send().await;
    assert!(sent.unwrap_err().into_service_error().is_queue_does_not_exist());
}

pub async fn the_name_of_a_deleted_queue_rests_for_a_minute(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.sqs.delete_queue().queue_url(&queue).send().await.unwrap();
    let again = subject.sqs.create_queue().queue_name(queue.rsplit('/').next().unwrap()).send().await;
    assert!(again.unwrap_err().into_service_error().is_queue_deleted_recently());
}

pub async fn a_purged_queue_is_empty(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    subject.send(&queue, "one").await;
    subject.send(&queue, "two").await;
    subject.receive(&queue, 0).await.unwrap();
    assert_eq!(subject.counts(&queue).await, [1, 1, 0]);
    subject.sqs.purge_queue().queue_url(&queue).send().await.unwrap();
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn a_second_purge_within_a_minute_is_refused(subject: &Subject) {
    let queue = subject.queue(&[]).await;
    let purge = || subject.sqs.purge_queue().queue_url(&queue).send();
    purge().await.unwrap();
    assert!(purge().await.unwrap_err().into_service_error().is_purge_queue_in_progress());
}

pub async fn a_name_outside_the_allowed_characters_is_refused(subject: &Subject) {
    for name in ["a queue", "queue.fifo", &"q".repeat(81)] {
        let code = refused(subject.sqs.create_queue().queue_name(name).send().await);
        assert_eq!(code, "InvalidParameterValue", "{name}");
    }
}

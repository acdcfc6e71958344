//! Dead-letter queues.

use aws_sdk_sqs::types::{
    MessageSystemAttributeName,
    QueueAttributeName::{QueueArn, RedrivePolicy, VisibilityTimeout},
};

use crate::subject::{Subject, fresh_name};

pub async fn a_message_received_too_often_moves_to_the_dead_letter_queue(subject: &Subject) {
    let dead_letters = subject.queue(&[]).await;
    let target = subject.attribute(&dead_letters, QueueArn).await.unwrap();
    let policy = format!(r#"{{"deadLetterTargetArn":"{target}","maxReceiveCount":"2"}}"#);
    let queue = subject.queue(&[(VisibilityTimeout, "0"), (RedrivePolicy, &policy)]).await;
    let answered = subject.attribute(&queue, RedrivePolicy).await.unwrap();
    let answered: serde_json::Value = serde_json::from_str(&answered).unwrap();
    assert_eq!(answered["deadLetterTargetArn"], target.as_str());

    let id = subject.send(&queue, "wake").await;
    for count in ["1", "2"] {
        let system = subject.receive(&queue, 5).await.unwrap().attributes.unwrap();
        assert_eq!(system[&MessageSystemAttributeName::ApproximateReceiveCount], count);
    }
    // The receive that would be the third moves it.
    assert!(subject.receive(&queue, 0).await.is_none());
    let dead = subject.receive(&dead_letters, 5).await.unwrap();
    assert_eq!((dead.message_id, dead.body.as_deref()), (Some(id), Some("wake")));
    let system = dead.attributes.unwrap();
    let source = &system[&MessageSystemAttributeName::DeadLetterQueueSourceArn];
    assert_eq!(Some(source), subject.attribute(&queue, QueueArn).await.as_ref());
    assert_eq!(system[&MessageSystemAttributeName::ApproximateReceiveCount], "3");
    assert_eq!(subject.counts(&queue).await, [0, 0, 0]);
}

pub async fn a_redrive_policy_without_its_queue_is_refused(subject: &Subject) {
    let known = subject.queue(&[]).await;
    let arn = subject.attribute(&known, QueueArn).await.unwrap();
    let nowhere = arn.replace(known.rsplit('/').next().unwrap(), "nobody-made-this");
    // The codes differ, and AWS documents none.
    for policy in [
        format!(r#"{{"deadLetterTargetArn":"{nowhere}","maxReceiveCount":3}}"#),
        format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":0}}"#),
        format!(r#"{{"deadLetterTargetArn":"{arn}"}}"#),
        r#"{"maxReceiveCount":3}"#.to_owned(),
        "[]".to_owned(),
        "three times".to_owned(),
    ] {
        let create = subject.sqs.create_queue().queue_name(fresh_name()).attributes(RedrivePolicy, &policy);
        let refused = create.send().await.unwrap_err();
        assert!(refused.as_service_error().is_some(), "{policy}: {refused:?}");
        let set = subject.sqs.set_queue_attributes().queue_url(&known).attributes(RedrivePolicy, &policy);
        set.send().await.unwrap_err();
    }
    assert_eq!(subject.attribute(&known, RedrivePolicy).await, None);
}

pub async fn an_empty_redrive_policy_is_none(subject: &Subject) {
    let dead_letters = subject.queue(&[]).await;
    let target = subject.attribute(&dead_letters, QueueArn).await.unwrap();
    let policy = format!(r#"{{"deadLetterTargetArn":"{target}","maxReceiveCount":2}}"#);
    let queue = subject.queue(&[(RedrivePolicy, &policy)]).await;
    let set = subject.sqs.set_queue_attributes().queue_url(&queue).attributes(RedrivePolicy, "");
    set.send().await.unwrap();
    assert_eq!(subject.attribute(&queue, RedrivePolicy).await, None);
}

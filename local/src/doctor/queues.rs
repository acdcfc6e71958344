//! The queues: there, ours to use, and set as the functions' times need it.

use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::QueueAttributeName::{All, RedrivePolicy, VisibilityTimeout};
use pushwake::function::aws;
use pushwake::limits::{FUNCTION_TIMEOUT, WAKE_VISIBILITY};

use super::Finding;

pub(super) async fn look(wakes: &str, feedback: Option<&str>) -> Vec<Finding> {
    let client = Client::new(&aws::config().await);
    let mut findings = look_at(&client, "wake queue", wakes, true).await;
    match feedback {
        Some(url) => findings.extend(look_at(&client, "feedback queue", url, false).await),
        None => findings.push(Finding::warning(
            "feedback queue",
            "there is none: dead tokens and pauses are told to nobody",
            "set FEEDBACK_QUEUE_URL",
        )),
    }
    findings
}

async fn look_at(client: &Client, subject: &str, url: &str, wakes: bool) -> Vec<Finding> {
    let asked = client.get_queue_attributes().queue_url(url).attribute_names(All);
    let attributes = match Box::pin(asked.send()).await {
        Ok(answer) => answer.attributes.unwrap_or_default(),
        Err(error) => {
            let fix = "check its URL, AWS_REGION, the credentials and their policy";
            return vec![Finding::wrong(subject, format!("{url} can't be asked: {}", aws::code(&error)), fix)];
        }
    };
    let mut findings = vec![Finding::ok(subject, url)];
    if !wakes {
        return findings;
    }
    let visibility =
        attributes.get(&VisibilityTimeout).and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    if visibility.is_none_or(|visibility| visibility < 6 * FUNCTION_TIMEOUT) {
        let seen = format!("visibility of {visibility:?}; Lambda needs six times drain's {FUNCTION_TIMEOUT:?}");
        findings.push(Finding::wrong(subject, seen, format!("set it to {} s", WAKE_VISIBILITY.as_secs())));
    }
    if !attributes.contains_key(&RedrivePolicy) {
        let seen = "no dead-letter queue: a wake that fails is tried until it expires";
        findings.push(Finding::warning(subject, seen, "give it a RedrivePolicy, as template.yaml does"));
    }
    findings
}

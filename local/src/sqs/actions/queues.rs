//! `CreateQueue`, `DeleteQueue`, `GetQueueUrl`, `ListQueues` and `PurgeQueue`.

use std::{collections::BTreeMap, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{super::queue::Queue, Refusal, Service, queue_name};
use crate::sqs::{service::queue_url, settings::Settings};

/// How long a purge, and the name of a deleted queue, keep the next one waiting.
const REST: Duration = Duration::from_mins(1);

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(in crate::sqs) struct CreateQueue {
    #[serde(default)]
    queue_name: String,
    #[serde(default)]
    attributes: Option<BTreeMap<String, String>>,
}

pub(super) fn create(service: &Service, at: &str, request: &CreateQueue) -> Result<Value, Refusal> {
    let name = &request.queue_name;
    if name.is_empty() {
        return Err(Refusal::missing("QueueName"));
    }
    let existing = service.state().queues.get(name).map(|queue| queue.settings.clone());
    // What isn't named is as it is, or else the default.
    let mut settings = existing.unwrap_or_default();
    for (attribute, value) in request.attributes.iter().flatten() {
        settings.set(attribute, value, &Service::arn_prefix())?;
    }
    create_queue(service, name, settings)?;
    Ok(json!({ "QueueUrl": queue_url(at, name) }))
}

/// Creates a queue, or finds it with the same settings.
pub(in crate::sqs) fn create_queue(service: &Service, name: &str, settings: Settings) -> Result<(), Refusal> {
    let is_allowed = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    if !(1..=80).contains(&name.len()) || !name.chars().all(is_allowed) {
        let reason = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length";
        return Err(Refusal::new("InvalidParameterValue", reason));
    }
    let now = service.clock.now();
    let mut state = service.state();
    if let Some(existing) = state.queues.get(name) {
        return if existing.settings == settings {
            Ok(())
        } else {
            let message = "A queue already exists with the same name and a different value for an attribute";
            Err(Refusal::new("QueueNameExists", message))
        };
    }
    if state.deleted.get(name).is_some_and(|&at| now < at + REST) {
        let message =
            "You must wait 60 seconds after deleting a queue before you can create another with the same name.";
        return Err(Refusal::new("QueueDeletedRecently", message));
    }
    settings.check_dead_letter(|target| state.queues.contains_key(target))?;
    let arn = format!("{}{name}", Service::arn_prefix());
    state.queues.insert(name.to_owned(), Queue::new(arn, settings, now));
    Ok(())
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(in crate::sqs) struct ByUrl {
    #[serde(default)]
    queue_url: String,
}

pub(super) fn delete(service: &Service, request: &ByUrl) -> Result<Value, Refusal> {
    let name = queue_name(&request.queue_url)?;
    let mut state = service.state();
    state.queues.remove(name).ok_or_else(Refusal::no_queue)?;
    state.deleted.insert(name.to_owned(), service.clock.now());
    drop(state);
    service.tell_change();
    Ok(json!({}))
}

pub(super) fn purge(service: &Service, request: &ByUrl) -> Result<Value, Refusal> {
    let name = queue_name(&request.queue_url)?;
    let now = service.clock.now();
    let mut state = service.state();
    let queue = state.queues.get_mut(name).ok_or_else(Refusal::no_queue)?;
    if queue.purged_at.is_some_and(|at| now < at + REST) {
        let message = format!("Only one PurgeQueue operation on {name} is allowed every 60 seconds.");
        return Err(Refusal::new("PurgeQueueInProgress", message));
    }
    queue.purged_at = Some(now);
    queue.purge();
    drop(state);
    service.tell_change();
    Ok(json!({}))
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(in crate::sqs) struct ByName {
    #[serde(default)]
    queue_name: String,
}

pub(super) fn url(service: &Service, at: &str, request: &ByName) -> Result<Value, Refusal> {
    let name = &request.queue_name;
    if service.state().queues.contains_key(name) {
        Ok(json!({ "QueueUrl": queue_url(at, name) }))
    } else {
        Err(Refusal::no_queue())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(in crate::sqs) struct ListQueues {
    #[serde(default)]
    queue_name_prefix: Option<String>,
    #[serde(default)]
    max_results: Option<usize>,
    #[serde(default)]
    next_token: Option<String>,
}

pub(super) fn list(service: &Service, at: &str, request: &ListQueues) -> Result<Value, Refusal> {
    let most = request.max_results.unwrap_or(1_000);
    if !(1..=1_000).contains(&most) {
        return Err(Refusal::value(most, "MaxResults", "MaxResults must be an integer between 1 and 1000."));
    }
    let prefix = request.queue_name_prefix.as_deref().unwrap_or_default();
    let state = service.state();
    // The token is the last name of the page before: names are in order.
    let behind = |name: &String| request.next_token.as_ref().is_none_or(|token| name > token);
    let mut names = state.queues.keys().filter(|name| name.starts_with(prefix)).filter(|name| behind(name));
    let page: Vec<&String> = names.by_ref().take(most).collect();
    let urls: Vec<String> = page.iter().map(|name| queue_url(at, name)).collect();
    let mut answer = json!({ "QueueUrls": urls });
    // Without MaxResults SQS never pages.
    if request.max_results.is_some() && names.next().is_some() {
        answer["NextToken"] = json!(page.last());
    }
    Ok(answer)
}

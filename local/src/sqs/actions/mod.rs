//! The actions of the protocol: one request in, one JSON document or refusal out.

mod attributes;
mod batch;
mod queues;
mod receipts;
mod receive;
mod send;

pub(super) use queues::create_queue;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{refusal::Refusal, service::Service};

/// Answers `action`. `url` is where the caller reaches the endpoint, `trace` the X-Ray header of the request.
pub(super) async fn answer(
    service: &Service,
    url: &str,
    action: &str,
    body: &[u8],
    trace: Option<&str>,
) -> Result<Value, Refusal> {
    match action {
        "CreateQueue" => queues::create(service, url, &read(body)?),
        "DeleteQueue" => queues::delete(service, &read(body)?),
        "GetQueueUrl" => queues::url(service, url, &read(body)?),
        "ListQueues" => queues::list(service, url, &read(body)?),
        "PurgeQueue" => queues::purge(service, &read(body)?),
        "GetQueueAttributes" => attributes::answer(service, &read(body)?),
        "SetQueueAttributes" => attributes::set(service, &read(body)?),
        "SendMessage" => send::one(service, read(body)?, trace).await,
        "SendMessageBatch" => send::batch(service, read(body)?, trace).await,
        "ReceiveMessage" => receive::answer(service, read(body)?).await,
        "DeleteMessage" => receipts::delete(service, &read(body)?),
        "DeleteMessageBatch" => receipts::delete_batch(service, &read(body)?),
        "ChangeMessageVisibility" => receipts::change(service, &read(body)?),
        "ChangeMessageVisibilityBatch" => receipts::change_batch(service, &read(body)?),
        unknown => Err(Refusal::new("UnknownOperationException", format!("This endpoint has no action {unknown}."))),
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let body = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(body).map_err(|error| Refusal::new("SerializationException", error.to_string()))
}

/// The name in a queue URL. Any host will do, and so does the bare name: the queue is ours or unknown.
fn queue_name(url: &str) -> Result<&str, Refusal> {
    let name = url.rsplit('/').next().unwrap_or_default();
    if name.is_empty() { Err(Refusal::missing("QueueUrl")) } else { Ok(name) }
}

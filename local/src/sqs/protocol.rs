//! The AWS JSON 1.0 protocol: the action in a header, a JSON document either way, errors as SDKs read them.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde_json::json;
use uuid::Uuid;

use super::{actions, refusal::Refusal, service::Service};

/// A message of 1 MiB, every byte of it escaped, with room for its frame.
const LONGEST_REQUEST: usize = 8 * 1_048_576;

/// The endpoint as it is reached at `url`, which the URLs of queues begin with.
pub(super) fn router(service: Arc<Service>, url: impl Into<Arc<str>>) -> Router {
    let front = Front { service, url: url.into() };
    // Any path: some SDKs post to the queue's URL instead of the endpoint's.
    Router::new().fallback(answer).layer(DefaultBodyLimit::max(LONGEST_REQUEST)).with_state(front)
}

#[derive(Clone)]
struct Front {
    service: Arc<Service>,
    url: Arc<str>,
}

async fn answer(State(Front { service, url }): State<Front>, headers: HeaderMap, body: Bytes) -> Response {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let result = match header("x-amz-target").and_then(|target| target.strip_prefix("AmazonSQS.")) {
        Some(action) => actions::answer(&service, &url, action, &body, header("x-amzn-trace-id")).await,
        None => Err(Refusal::new("UnknownOperationException", "Name the action as x-amz-target: AmazonSQS.<action>.")),
    };
    let request_id = [("x-amzn-requestid", Uuid::new_v4().to_string())];
    let json = [(CONTENT_TYPE, "application/x-amz-json-1.0")];
    match result {
        Ok(document) => (request_id, json, document.to_string()).into_response(),
        Err(refusal) => {
            let (status, fault) = if refusal.is_receivers_fault() {
                (StatusCode::INTERNAL_SERVER_ERROR, "Receiver")
            } else {
                (StatusCode::BAD_REQUEST, "Sender")
            };
            let query_error = [("x-amzn-query-error", format!("{};{fault}", refusal.query_code()))];
            let document = json!({ "__type": refusal.kind(), "message": refusal.message });
            (status, request_id, query_error, json, document.to_string()).into_response()
        }
    }
}

//! The Runtime API of one instance (version 2018-06-01).

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;

use super::desk::{Desk, Event};
use super::{environment, extensions};

/// The largest answer of a synchronous invocation (Lambda quotas, 6 MB).
const LARGEST_ANSWER: usize = 6 * 1024 * 1024;

/// All routes.
pub(super) fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/2018-06-01/runtime/invocation/next", get(next))
        .route("/2018-06-01/runtime/invocation/{id}/response", post(response))
        .route("/2018-06-01/runtime/invocation/{id}/error", post(error))
        .route("/2018-06-01/runtime/init/error", post(init_error))
        .layer(DefaultBodyLimit::max(LARGEST_ANSWER))
        .with_state(desk.clone())
        .merge(extensions::router(desk))
}

/// What a runtime posts when something failed.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Report {
    error_type: String,
    error_message: String,
}

async fn next(State(desk): State<Arc<Desk>>) -> Response {
    desk.tell(Event::Asked);
    let Some(order) = desk.orders.lock().await.recv().await else {
        return refuse(StatusCode::GONE, "Local.Ended");
    };
    desk.tell(Event::Taken);
    let headers = [
        ("Lambda-Runtime-Aws-Request-Id", order.request_id),
        ("Lambda-Runtime-Deadline-Ms", order.deadline_ms.to_string()),
        ("Lambda-Runtime-Invoked-Function-Arn", environment::arn(&desk.function)),
        ("Lambda-Runtime-Trace-Id", order.trace),
        ("Content-Type", "application/json".to_owned()),
    ];
    (headers, order.payload).into_response()
}

async fn response(
    State(desk): State<Arc<Desk>>,
    Path(request_id): Path<String>,
    answer: Result<Bytes, BytesRejection>,
) -> Response {
    let Ok(answer) = answer else {
        let kind = "Function.ResponseSizeTooLarge".to_owned();
        desk.tell(Event::Failed { request_id, kind: kind.clone(), message: "the answer exceeds 6 MB".to_owned() });
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, &kind);
    };
    desk.tell(Event::Answered { request_id, answer });
    accepted()
}

async fn error(State(desk): State<Arc<Desk>>, Path(request_id): Path<String>, body: Bytes) -> Response {
    let report: Report = serde_json::from_slice(&body).unwrap_or_default();
    desk.tell(Event::Failed { request_id, kind: report.error_type, message: report.error_message });
    accepted()
}

async fn init_error(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    let report: Report = serde_json::from_slice(&body).unwrap_or_default();
    let header = headers.get("lambda-runtime-function-error-type").and_then(|kind| kind.to_str().ok());
    let kind = if report.error_type.is_empty() { header.unwrap_or("Runtime.Unknown") } else { &report.error_type };
    desk.tell(Event::InitFailed { message: format!("{kind}: {}", report.error_message) });
    accepted()
}

fn accepted() -> Response {
    (StatusCode::ACCEPTED, axum::Json(json!({"status": "OK"}))).into_response()
}

pub(super) fn refuse(status: StatusCode, kind: &str) -> Response {
    (status, axum::Json(json!({"errorType": kind, "errorMessage": kind}))).into_response()
}

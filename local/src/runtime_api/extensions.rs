//! As much of the Extensions API as an internal extension needs that subscribes to no events: with one, Lambda sends
//! `SIGTERM` before it ends an instance, which is how a function gets to shut down gracefully.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use serde_json::json;

use super::desk::Desk;
use super::endpoints::refuse;

pub(super) fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/2020-01-01/extension/register", post(register))
        .route("/2020-01-01/extension/event/next", get(next))
        .route("/2020-01-01/extension/{phase}/error", post(async || StatusCode::ACCEPTED))
        .fallback(any(unknown))
        .with_state(desk)
}

async fn register(State(desk): State<Arc<Desk>>) -> Response {
    let identifier = [("Lambda-Extension-Identifier", uuid::Uuid::new_v4().to_string())];
    let about = json!({"functionName": desk.function, "functionVersion": "$LATEST", "handler": "bootstrap"});
    (identifier, axum::Json(about)).into_response()
}

/// No event ever comes; the request ends with its instance.
async fn next() -> Response {
    std::future::pending().await
}

async fn unknown(request: Request) -> Response {
    refuse(StatusCode::NOT_FOUND, &format!("no such endpoint: {} {}", request.method(), request.uri().path()))
}

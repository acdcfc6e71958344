//! The simulated providers, for a program that tries the product from outside: what they received, and browsers that
//! subscribe to their push service.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::apns::Apns;
use crate::fcm::Fcm;
use crate::provider::{Handle, Received};
use crate::stack::Stack;
use crate::webpush::WebPush;

/// The requests that are shown of each provider where no token is asked for.
const SHOWN: usize = 1000;

#[derive(Clone)]
struct Providers {
    apns: Handle<Apns>,
    fcm: Handle<Fcm>,
    webpush: Handle<WebPush>,
}

/// `GET /received` and `POST /subscriptions/NAME`.
pub(super) fn router(stack: &Stack) -> Router {
    let providers = Providers { apns: stack.apns.handle(), fcm: stack.fcm.handle(), webpush: stack.webpush.handle() };
    Router::new()
        .route("/received", get(received))
        .route("/subscriptions/{name}", post(subscribe))
        .with_state(providers)
}

#[derive(Deserialize)]
struct Wanted {
    to: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    provider: &'static str,
    #[serde(flatten)]
    received: Received,
}

/// What arrived at the simulated providers, in order of arrival: of one token, or the last of each.
async fn received(State(providers): State<Providers>, Query(Wanted { to }): Query<Wanted>) -> impl IntoResponse {
    let to = to.as_deref();
    let shown = |provider| move |received| Shown { provider, received };
    let apns = providers.apns.received(to, SHOWN).into_iter().map(shown("apns"));
    let fcm = providers.fcm.received(to, SHOWN).into_iter().map(shown("fcm"));
    let webpush = providers.webpush.received(to, SHOWN).into_iter().map(shown("webpush"));
    let mut all: Vec<Shown> = apns.chain(fcm).chain(webpush).collect();
    all.sort_by_key(|shown| shown.received.start);
    Json(all)
}

/// A browser subscribes, and answers what its page would send to the product.
async fn subscribe(State(providers): State<Providers>, Path(name): Path<String>) -> Response {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if !plain || name.len() > 100 {
        return (StatusCode::BAD_REQUEST, "A name has letters, digits, '-', '_' and '.', 100 at most.\n")
            .into_response();
    }
    Json(providers.webpush.subscribe(&name)).into_response()
}

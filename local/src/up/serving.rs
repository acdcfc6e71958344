//! The server of the one port: Lambda's Invoke API and SQS side by side, as AWS tools reach both through
//! `AWS_ENDPOINT_URL`.

use std::net::SocketAddr;

use axum::Router;
use axum::http::{Method, StatusCode};
use axum::middleware::from_fn;
use axum::response::IntoResponse;
use axum::routing::{get, post_service};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::door;
use super::port::Port;
use super::simulated;
use crate::invoke;
use crate::page::{self, Watch};
use crate::sqs::queue_url;
use crate::stack::Stack;

/// A stack that is being served. It ends when it is dropped; the stack stays.
#[derive(Debug)]
pub struct Serving {
    url: String,
    address: SocketAddr,
    _stops: DropGuard,
}

impl Serving {
    /// Serves `stack` at `port`, on the current runtime.
    pub fn start(port: Port, stack: &Stack) -> Self {
        let closing = CancellationToken::new();
        let Port { listener, address } = port;
        let url = format!("http://{address}");
        let router = router(stack, &url, &closing);
        let closed = closing.clone().cancelled_owned();
        tokio::spawn(axum::serve(listener, router).with_graceful_shutdown(closed).into_future());
        Self { url, address, _stops: closing.drop_guard() }
    }

    /// What to give AWS tools as `AWS_ENDPOINT_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// URL of a queue of the stack.
    pub fn queue_url(&self, name: &str) -> String {
        queue_url(&self.url, name)
    }
}

fn router(stack: &Stack, url: &str, closing: &CancellationToken) -> Router {
    let functions = [&stack.enqueue, &stack.drain, &stack.schedule, &stack.migrate].map(Clone::clone);
    let watch = Watch::start(stack, closing.clone());
    // SDKs post to the endpoint, or to the URL of a queue.
    let sqs = stack.sqs.router_at(url);
    invoke::router(functions, closing.clone())
        .merge(simulated::router(stack))
        .merge(page::router(watch.clone()))
        .route("/", post_service(sqs.clone()).merge(get(page::overview).with_state(watch)))
        .fallback_service(post_service(sqs).fallback(nothing_here))
        .layer(from_fn(door::check))
}

async fn nothing_here(method: Method) -> impl IntoResponse {
    let known = "Here are: GET / (the page), POST /2015-03-31/functions/NAME/invocations (Lambda), POST / (SQS),\n\
        GET /received, POST /subscriptions/NAME (the simulated providers).\n";
    (StatusCode::NOT_FOUND, [("x-amzn-errortype", "UnknownOperationException")], format!("No {method} here. {known}"))
}

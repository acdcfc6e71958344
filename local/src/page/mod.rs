//! The page of `pushwake up`: what happens to each notification, on loopback, rendered here.
//!
//! A [`Watch`] samples Postgres once a second into a bounded ring and reads the functions' log lines as they arrive; the
//! views show both. Nothing of a notification's content is ever read: no title, body, data or token. Everything that a
//! caller chose (ids, reasons) goes through `maud`, which escapes it, and the policy of [`headers`] would run nothing of
//! it either. Charts are SVG without a script; the one script only fetches the page again and keeps the scroll position,
//! and without it the browser reloads.

mod ask;
mod chart;
mod headers;
mod line;
mod log;
mod sample;
mod view;
mod watch;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use maud::Markup;

pub use watch::Watch;

use ask::{OfDevice, OfEvent};

/// The page over what `watch` sees; without its own path for the overview, which others share.
pub(crate) fn router(watch: Watch) -> Router {
    Router::new()
        .route("/event", get(event))
        .route("/device", get(device))
        .route("/page.css", get(async || headers::asset("text/css", include_str!("asset/page.css"))))
        .route("/page.js", get(async || headers::asset("text/javascript", include_str!("asset/page.js"))))
        .with_state(watch)
        .layer(from_fn(headers::add))
}

/// The handler of the overview.
pub(crate) async fn overview(State(watch): State<Watch>) -> Response {
    headers::of_page(Html(watch.now(view::overview).into_string()).into_response())
}

async fn event(State(watch): State<Watch>, Query(asked): Query<OfEvent>) -> Response {
    shown(asked.answer(&watch).await.map(|story| view::event(&story)))
}

async fn device(State(watch): State<Watch>, Query(asked): Query<OfDevice>) -> Response {
    shown(asked.answer(&watch).await.map(|story| view::device(&story)))
}

fn shown(story: Result<Markup, String>) -> Response {
    match story {
        Ok(page) => Html(page.into_string()).into_response(),
        Err(said) => (StatusCode::BAD_REQUEST, Html(view::said(&said).into_string())).into_response(),
    }
}

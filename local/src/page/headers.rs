//! What every answer of the page says to a browser.

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Nothing but our own style sheet and script; no frame around it, no form that leads elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Adds them to whatever is answered.
pub(super) async fn add(request: Request, next: Next) -> Response {
    of_page(next.run(request).await)
}

/// Adds them to one answer.
pub(super) fn of_page(mut response: Response) -> Response {
    let headers: [(HeaderName, &'static str); 4] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    response.headers_mut().extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// A part of the page that does not change.
pub(super) fn asset(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind)], text)
}

//! Who may come in: what runs on this machine, and no page of a browser that came from elsewhere.
//!
//! Loopback keeps other machines out, but a browser here runs what others wrote. A page whose name was rebound to
//! loopback still names itself as the host, and a page that posts to us names its origin: both are refused.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Lets a request of this machine pass.
pub(super) async fn check(request: Request, next: Next) -> Response {
    if is_at_home(request.headers()) {
        next.run(request).await
    } else {
        let message = "Only for this machine: open it as http://127.0.0.1 or http://localhost, from no other page.\n";
        (StatusCode::FORBIDDEN, message).into_response()
    }
}

fn is_at_home(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host =
        host.and_then(|host| host.parse().ok()).is_some_and(|host: http::uri::Authority| is_loopback(host.host()));
    // `null` is the origin of a sandboxed page, and of a file.
    let origin = headers.get(header::ORIGIN).is_none_or(|origin| {
        let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        origin.is_some_and(|origin| origin.host().is_some_and(is_loopback))
    });
    host && origin
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let host = (header::HOST, host.parse().unwrap());
        [host].into_iter().chain(origin.map(|origin| (header::ORIGIN, origin.parse().unwrap()))).collect()
    }

    #[test]
    fn only_names_of_loopback_are_at_home() {
        for host in ["127.0.0.1:9310", "localhost:9310", "LOCALHOST", "[::1]:9310", "127.0.0.2"] {
            assert!(is_at_home(&headers(host, None)), "{host}");
        }
        for host in ["evil.example:9310", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "0.0.0.0", ""]
        {
            assert!(!is_at_home(&headers(host, None)), "{host}");
        }
        assert!(!is_at_home(&HeaderMap::new()));
    }

    #[test]
    fn a_page_from_elsewhere_is_refused() {
        assert!(is_at_home(&headers("127.0.0.1:9310", Some("http://localhost:3000"))));
        for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example"] {
            assert!(!is_at_home(&headers("127.0.0.1:9310", Some(origin))), "{origin}");
        }
    }
}

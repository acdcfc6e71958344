//! HTTP/2 where the server knows it, HTTP/1.1 where it does not: push services are many, and not all ours to choose.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::Request;
use tokio::time::Instant;

use super::http1::Http1;
use super::stream::Way;
use super::{Answer, Connection, Dialer, Fault, Origin, Reach};

/// A connection over whichever HTTP the server knows.
#[derive(Debug)]
pub struct Either {
    http2: Connection,
    http1: Http1,
    /// The server has chosen HTTP/1.1.
    older: AtomicBool,
}

impl Dialer {
    /// A connection to `origin` over whichever HTTP it knows, as far as `reach` allows. Dials nothing.
    pub fn either(&self, origin: &Origin, reach: Reach) -> Either {
        let way = |protocols: &[&[u8]]| {
            let mut tls = (*self.0).clone();
            tls.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
            Way { origin: origin.clone(), reach, tls: Arc::new(tls) }
        };
        Either {
            http2: Connection::new(way(&[b"h2", b"http/1.1"])),
            http1: Http1::new(way(&[b"http/1.1"])),
            older: AtomicBool::new(false),
        }
    }
}

impl Either {
    /// As [`Connection::exchange`].
    pub async fn exchange(&self, request: &Request<()>, body: &Bytes, deadline: Instant) -> Result<Answer, Fault> {
        if !self.older.load(Ordering::Relaxed) {
            match self.http2.exchange(request, body, deadline).await {
                Err(Fault::NoHttp2) => self.older.store(true, Ordering::Relaxed),
                other => return other,
            }
        }
        self.http1.exchange(request, body, deadline).await
    }
}

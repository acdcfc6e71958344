//! One live HTTP/2 session.
//!
//! Lambda freezes the process between invocations, and sockets die meanwhile without a word. A session that has
//! heard nothing for longer than [`SILENT_AFTER`] is pinged before it is used again, and replaced if no answer comes.
//! The bound is wall-clock time: the monotonic clock does not count the time a virtual machine is suspended.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures::FutureExt;
use h2::client::{Builder, ResponseFuture, SendRequest};
use h2::{Ping, PingPong, SendStream};
use http::Request;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

/// The wall-clock silence after which a session is pinged first: a wake that finds it so costs one round trip.
const SILENT_AFTER: Duration = Duration::from_secs(1);

/// A session. Dropping the last reference closes its socket.
#[derive(Debug)]
pub(super) struct Session {
    sender: SendRequest<Bytes>,
    /// Taken out by the one check that runs at a time.
    pings: Mutex<Option<PingPong>>,
    heard_at: AtomicU64,
    driver: JoinHandle<()>,
}

/// A request that has its place among the peer's streams, and no body yet.
pub(super) struct Opened {
    pub(super) answer: ResponseFuture,
    pub(super) body: SendStream<Bytes>,
}

impl Session {
    /// Shakes hands over `stream` and starts the driver.
    pub(super) async fn start(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Result<Self, h2::Error> {
        // One stream until the server's SETTINGS say how many: it refuses more before the first valid token.
        let (sender, mut connection) =
            Builder::new().enable_push(false).initial_max_send_streams(1).handshake::<_, Bytes>(stream).await?;
        let pings = Mutex::new(connection.ping_pong());
        let driver = tokio::spawn(async move {
            // Every stream gets this error as its own; the log would only repeat it.
            let _ = connection.await;
        });
        Ok(Self { sender, pings, heard_at: AtomicU64::new(wall_clock()), driver })
    }

    /// False once the peer has said GOAWAY or the socket is gone, as far as we have been told.
    pub(super) fn is_usable(&self) -> bool {
        !self.driver.is_finished() && !matches!(self.sender.clone().ready().now_or_never(), Some(Err(_)))
    }

    /// Whether it must be checked before its next use.
    pub(super) fn is_silent(&self) -> bool {
        let silence = wall_clock().checked_sub(self.heard_at.load(Ordering::Relaxed));
        // A clock that stepped back says nothing about the silence.
        silence.is_none_or(|millis| millis > SILENT_AFTER.as_millis() as u64)
    }

    /// Something came from the peer.
    pub(super) fn heard(&self) {
        self.heard_at.store(wall_clock(), Ordering::Relaxed);
    }

    /// Asks the peer whether it is there.
    pub(super) async fn ping(&self) -> Result<(), h2::Error> {
        let taken = self.pings.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A check that was dropped half-way took the pings with it; the session is then replaced.
        let Some(mut pings) = taken else { return Err(h2::Reason::CANCEL.into()) };
        pings.ping(Ping::opaque()).await?;
        *self.pings.lock().unwrap_or_else(PoisonError::into_inner) = Some(pings);
        self.heard();
        Ok(())
    }

    /// Sends the headers, and waits until the peer's limit on concurrent streams has let them through. Whatever
    /// happens before this returns, the request was not processed: its body is still here.
    pub(super) async fn open(&self, request: Request<()>) -> Result<Opened, h2::Error> {
        let mut sender = self.sender.clone().ready().await?;
        let (answer, body) = sender.send_request(request, false)?;
        sender.ready().await?;
        Ok(Opened { answer, body })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Nobody holds a stream any more; a driver left to itself could wait for a dead peer for minutes.
        self.driver.abort();
    }
}

fn wall_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

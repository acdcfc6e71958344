//! Dialling and checking: what stands between a send and a session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use rustls::ClientConfig;
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;

use super::origin::Origin;
use super::session::Session;
use crate::outcome::Reason;

/// How long resolving, connecting and both handshakes may take together: half a send, so that a second try fits.
const DIAL_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a PING may take before the session is replaced. A round trip to another continent is a tenth of it.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// Providers take rapid reconnects for an attack: after a failure the next attempt waits, doubling to the second.
const REDIAL_FIRST: Duration = Duration::from_millis(100);
/// See [`REDIAL_FIRST`].
const REDIAL_LONGEST: Duration = Duration::from_secs(2);

/// One attempt, shared by all who wait for it.
pub(super) type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, Reason>>>;

/// Failures in a row, and when the last one was.
#[derive(Debug, Default)]
pub(super) struct Failures(Option<(u32, Instant)>);

impl Failures {
    pub(super) fn add(&mut self, now: Instant) {
        let before = self.0.map_or(0, |(failures, _)| failures);
        self.0 = Some((before.saturating_add(1), now));
    }

    /// How long the next attempt has to wait.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let Some((failures, at)) = self.0 else { return Duration::ZERO };
        let pause = REDIAL_FIRST.saturating_mul(1 << (failures - 1).min(10)).min(REDIAL_LONGEST);
        pause.saturating_sub(now.duration_since(at))
    }
}

/// Dials after `wait`.
pub(super) fn dial(origin: &Origin, tls: &Arc<ClientConfig>, wait: Duration) -> Opening {
    let (origin, tls) = (origin.clone(), tls.clone());
    async move {
        sleep(wait).await;
        connect(&origin, tls).await
    }
    .boxed()
    .shared()
}

/// Pings a silent session, and dials another if it is dead. Its own streams keep the old one to their end.
pub(super) fn check(session: Arc<Session>, origin: &Origin, tls: &Arc<ClientConfig>) -> Opening {
    let (origin, tls) = (origin.clone(), tls.clone());
    async move {
        if matches!(timeout(PING_TIMEOUT, session.ping()).await, Ok(Ok(()))) {
            return Ok(session);
        }
        tracing::info!(host = %origin.host, "a silent provider connection is replaced");
        drop(session);
        connect(&origin, tls).await
    }
    .boxed()
    .shared()
}

async fn connect(origin: &Origin, tls: Arc<ClientConfig>) -> Result<Arc<Session>, Reason> {
    let connected = timeout(DIAL_TIMEOUT, handshakes(origin, tls)).await;
    let (reason, detail) = match connected {
        Ok(Ok(session)) => return Ok(Arc::new(session)),
        Ok(Err((reason, detail))) => (reason, detail),
        Err(_) => ("ConnectTimeout", String::new()),
    };
    tracing::warn!(host = %origin.host, port = origin.port, reason, detail, "a provider can't be reached");
    Err(Reason::Borrowed(reason))
}

async fn handshakes(origin: &Origin, tls: Arc<ClientConfig>) -> Result<Session, (&'static str, String)> {
    let name = ServerName::try_from(origin.host.clone()).map_err(|error| ("ConnectFailed", error.to_string()))?;
    let tcp = TcpStream::connect((origin.host.as_str(), origin.port))
        .await
        .map_err(|error| ("ConnectFailed", error.to_string()))?;
    // One small frame after another: waiting for more to send would only delay them.
    tcp.set_nodelay(true).map_err(|error| ("ConnectFailed", error.to_string()))?;
    let stream = TlsConnector::from(tls).connect(name, tcp).await.map_err(|error| ("TlsFailed", error.to_string()))?;
    if stream.get_ref().1.alpn_protocol() != Some(b"h2") {
        return Err(("NoHttp2", "the server did not choose h2".into()));
    }
    Session::start(stream).await.map_err(|error| ("ConnectFailed", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redials_wait_longer_up_to_a_bound_and_not_at_all_after_a_while() {
        let now = Instant::now();
        let mut failures = Failures::default();
        assert_eq!(failures.wait(now), Duration::ZERO);
        let mut waits = Vec::new();
        for _ in 0..40 {
            failures.add(now);
            waits.push(failures.wait(now));
        }
        assert_eq!(waits[..3], [100, 200, 400].map(Duration::from_millis));
        assert_eq!(waits[39], REDIAL_LONGEST);
        assert_eq!(failures.wait(now + REDIAL_LONGEST), Duration::ZERO);
    }
}

//! Dialling and checking: what stands between a send and a session.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use rustls::ClientConfig;
use rustls_pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;

use super::session::Session;
use super::{Fault, Origin, Reach};

/// How long resolving, connecting and both handshakes may take together: half a send, so that a second try fits.
const DIAL_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a PING may take before the session is replaced. A round trip to another continent is a tenth of it.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// Providers take rapid reconnects for an attack: after a failure the next attempt waits, doubling to the second.
const REDIAL_FIRST: Duration = Duration::from_millis(100);
/// See [`REDIAL_FIRST`].
const REDIAL_LONGEST: Duration = Duration::from_secs(2);

/// The reason of a host that resolves to nothing that may be connected to.
const FORBIDDEN: &str = "ForbiddenAddress";

/// One attempt, shared by all who wait for it.
pub(super) type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, Fault>>>;

/// Where to dial, and how.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) origin: Origin,
    pub(super) reach: Reach,
    pub(super) tls: Arc<ClientConfig>,
}

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
pub(super) fn dial(way: &Way, wait: Duration) -> Opening {
    let way = way.clone();
    async move {
        sleep(wait).await;
        connect(&way).await
    }
    .boxed()
    .shared()
}

/// Pings a silent session, and dials another if it is dead. Its own streams keep the old one to their end.
pub(super) fn check(session: Arc<Session>, way: &Way) -> Opening {
    let way = way.clone();
    async move {
        if matches!(timeout(PING_TIMEOUT, session.ping()).await, Ok(Ok(()))) {
            return Ok(session);
        }
        tracing::info!(host = %way.origin.host, "a silent provider connection is replaced");
        drop(session);
        connect(&way).await
    }
    .boxed()
    .shared()
}

async fn connect(way: &Way) -> Result<Arc<Session>, Fault> {
    let connected = timeout(DIAL_TIMEOUT, handshakes(way)).await;
    let (reason, detail) = match connected {
        Ok(Ok(session)) => return Ok(Arc::new(session)),
        Ok(Err(failure)) => failure,
        Err(_) => ("ConnectTimeout", String::new()),
    };
    tracing::warn!(host = %way.origin.host, port = way.origin.port, reason, detail, "a provider can't be reached");
    Err(if reason == FORBIDDEN { Fault::Forbidden(reason.into()) } else { Fault::NotProcessed(reason.into()) })
}

/// A reason, and for our log what lies behind it.
type Failure = (&'static str, String);

async fn handshakes(way: &Way) -> Result<Session, Failure> {
    let Way { origin, reach, tls } = way;
    let failed = |error: &dyn std::error::Error| ("ConnectFailed", error.to_string());
    let name = ServerName::try_from(origin.host.clone()).map_err(|error| failed(&error))?;
    let resolved = lookup_host((origin.host.as_str(), origin.port)).await.map_err(|error| failed(&error))?;
    // Connected to as they were looked at: a name that is resolved twice may stand for two things.
    let addresses = reached(*reach, resolved)?;
    let tcp = TcpStream::connect(addresses.as_slice()).await.map_err(|error| failed(&error))?;
    // One small frame after another: waiting for more to send would only delay them.
    tcp.set_nodelay(true).map_err(|error| failed(&error))?;
    let connector = TlsConnector::from(tls.clone());
    let stream = connector.connect(name, tcp).await.map_err(|error| ("TlsFailed", error.to_string()))?;
    if stream.get_ref().1.alpn_protocol() != Some(b"h2") {
        return Err(("NoHttp2", "the server did not choose h2".into()));
    }
    Session::start(stream).await.map_err(|error| failed(&error))
}

/// The addresses of a name that may be connected to.
fn reached(reach: Reach, resolved: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, Failure> {
    let (allowed, refused): (Vec<_>, Vec<_>) = resolved.partition(|address| reach.allows(address.ip()));
    match (allowed.is_empty(), refused.is_empty()) {
        (false, _) => Ok(allowed),
        (true, false) => Err((FORBIDDEN, "it resolves to addresses that are not of the public internet alone".into())),
        (true, true) => Err(("ConnectFailed", "it resolves to no address".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c38_a_public_name_that_resolves_to_a_private_address_is_refused() {
        let address = |text: &str| text.parse::<SocketAddr>().expect(text);
        let (private, metadata, public) = ("10.0.0.1:443", "169.254.169.254:443", "142.250.185.74:443");
        let resolved = |texts: &[&str]| reached(Reach::Public, texts.iter().map(|text| address(text)));
        assert_eq!(resolved(&[private, metadata]).expect_err("refused").0, FORBIDDEN);
        assert_eq!(resolved(&[private, public]), Ok(vec![address(public)]), "only what is public is connected to");
        assert_eq!(resolved(&[]).expect_err("nothing").0, "ConnectFailed");
        assert_eq!(reached(Reach::Anywhere, [address(private)].into_iter()), Ok(vec![address(private)]));
    }

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

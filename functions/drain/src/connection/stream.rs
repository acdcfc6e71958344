//! A TLS stream to a provider: resolved, looked at, connected, shaken hands.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls_pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{Fault, Origin, Reach};

/// How long resolving, connecting and all handshakes may take together: half a send, so that a second try fits.
pub(super) const DIAL_TIMEOUT: Duration = Duration::from_secs(5);

/// Where to dial, and how.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) origin: Origin,
    pub(super) reach: Reach,
    pub(super) tls: Arc<ClientConfig>,
}

/// A fault, and for our log what lies behind it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) fault: Fault,
    pub(super) detail: String,
}

impl Failure {
    /// Nothing was sent, for `reason`.
    pub(super) fn of(reason: &'static str, detail: impl Into<String>) -> Self {
        Self { fault: Fault::NotProcessed(reason.into()), detail: detail.into() }
    }
}

impl Way {
    /// Logs why there is no connection.
    pub(super) fn failed(&self, failure: Failure) -> Fault {
        let Failure { fault, detail } = failure;
        let Origin { host, port } = &self.origin;
        let reason = fault.clone().into_reason();
        tracing::warn!(host = %host, port, reason = reason.as_ref(), detail, "a provider can't be reached");
        fault
    }
}

/// Opens a stream.
pub(super) async fn open(way: &Way) -> Result<TlsStream<TcpStream>, Failure> {
    let Way { origin, reach, tls } = way;
    let failed = |error: &dyn Error| Failure::of("ConnectFailed", error.to_string());
    let name = ServerName::try_from(origin.host.clone()).map_err(|error| failed(&error))?;
    let resolved = lookup_host((origin.host.as_str(), origin.port)).await.map_err(|error| failed(&error))?;
    // Connected to as they were looked at: a name that is resolved twice may stand for two things.
    let addresses = reached(*reach, resolved)?;
    let tcp = TcpStream::connect(addresses.as_slice()).await.map_err(|error| failed(&error))?;
    // One small frame after another: waiting for more to send would only delay them.
    tcp.set_nodelay(true).map_err(|error| failed(&error))?;
    let connector = TlsConnector::from(tls.clone());
    connector.connect(name, tcp).await.map_err(|error| Failure::of("TlsFailed", error.to_string()))
}

/// The addresses of a name that may be connected to.
fn reached(reach: Reach, resolved: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, Failure> {
    let (allowed, refused): (Vec<_>, Vec<_>) = resolved.partition(|address| reach.allows(address.ip()));
    match (allowed.is_empty(), refused.is_empty()) {
        (false, _) => Ok(allowed),
        (true, true) => Err(Failure::of("ConnectFailed", "it resolves to no address")),
        (true, false) => {
            let detail = "it resolves to no address that may be connected to".to_owned();
            Err(Failure { fault: Fault::Forbidden("ForbiddenAddress".into()), detail })
        }
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
        let forbidden = Fault::Forbidden("ForbiddenAddress".into());
        assert_eq!(resolved(&[private, metadata]).expect_err("refused").fault, forbidden);
        assert_eq!(resolved(&[private, public]), Ok(vec![address(public)]), "only what is public is connected to");
        assert_eq!(resolved(&[]).expect_err("nothing").fault, Fault::NotProcessed("ConnectFailed".into()));
        assert_eq!(reached(Reach::Anywhere, [address(private)].into_iter()), Ok(vec![address(private)]));
    }
}

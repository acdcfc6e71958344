//! The simulated providers' own CA, and a certificate for loopback.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

use super::StartError;

/// A CA that has issued one certificate, for `localhost` and 127.0.0.1.
pub struct Authority {
    ca_pem: String,
    config: Arc<ServerConfig>,
}

impl Authority {
    /// Makes a new one.
    pub fn new() -> Result<Self, StartError> {
        let ca_key = KeyPair::generate()?;
        let mut ca = CertificateParams::new(Vec::new())?;
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let ca_pem = ca.self_signed(&ca_key)?.pem();

        let key = KeyPair::generate()?;
        let leaf = CertificateParams::new(vec!["localhost".to_owned(), "127.0.0.1".to_owned()])?;
        let certificate = leaf.signed_by(&key, &Issuer::new(ca, ca_key))?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self { ca_pem, config: Arc::new(config) })
    }

    /// The CA's certificate, for a client to trust.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// Accepts TLS with the certificate, HTTP/2 only.
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.config.clone())
    }

    /// Accepts TLS with the certificate, for a server that has never heard of HTTP/2.
    pub fn older_acceptor(&self) -> TlsAcceptor {
        let mut config = (*self.config).clone();
        config.alpn_protocols.clear();
        TlsAcceptor::from(Arc::new(config))
    }
}

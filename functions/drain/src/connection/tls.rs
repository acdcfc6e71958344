//! TLS: the system's roots, perhaps one more, and HTTP/2 or nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

/// Why no TLS connection can be made at all.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The extra CA can't be used.
    #[error("{} is no PEM file with a CA certificate; point PUSHWAKE_PROVIDER_CA at one or unset it", .0.display())]
    ExtraCa(PathBuf),
    /// There is nothing to trust.
    #[error("no root certificates were found; install the system's CA bundle")]
    NoRoots,
    /// The TLS library refused its own defaults.
    #[error("TLS can't be configured: {0}")]
    Config(#[from] rustls::Error),
}

/// The configuration all connections share.
pub(super) fn config(extra_ca: Option<&Path>) -> Result<ClientConfig, TlsError> {
    let mut roots = RootCertStore::empty();
    // A broken certificate in the system's bundle is no reason to send nothing.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = extra_ca {
        let refused = || TlsError::ExtraCa(path.to_owned());
        let pem = std::fs::read(path).map_err(|_| refused())?;
        let certificates: Vec<_> =
            CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().map_err(|_| refused())?;
        if certificates.is_empty() {
            return Err(refused());
        }
        for certificate in certificates {
            roots.add(certificate).map_err(|_| refused())?;
        }
    }
    if roots.is_empty() {
        return Err(TlsError::NoRoots);
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extra_ca_that_is_none_is_named() {
        let missing = config(Some(Path::new("/nowhere/ca.pem"))).expect_err("there is no such file");
        assert!(missing.to_string().contains("/nowhere/ca.pem"));
    }
}

//! Where a provider is.

use http::Uri;

/// An https host and port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Name or address.
    pub host: String,
    /// Port, 443 unless named.
    pub port: u16,
}

/// Not an https URL of a host alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a base URL is https://host or https://host:port")]
pub struct OriginError;

impl Origin {
    /// Reads a base URL: https, a host, perhaps a port, and nothing else.
    pub fn read(base_url: &str) -> Result<Self, OriginError> {
        let uri: Uri = base_url.parse().map_err(|_| OriginError)?;
        let authority = uri.authority().ok_or(OriginError)?;
        let bare = matches!(uri.path(), "" | "/") && uri.query().is_none() && !authority.as_str().contains('@');
        if uri.scheme_str() != Some("https") || !bare || authority.host().is_empty() {
            return Err(OriginError);
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port: authority.port_u16().unwrap_or(443) })
    }

    /// As the `:authority` of a request.
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        if self.port == 443 { host } else { format!("{host}:{}", self.port) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_a_host_and_perhaps_a_port() {
        let read = |url| Origin::read(url).map(|origin| (origin.authority(), origin.port));
        assert_eq!(read("https://api.push.apple.com"), Ok(("api.push.apple.com".into(), 443)));
        assert_eq!(read("https://localhost:8443/"), Ok(("localhost:8443".into(), 8443)));
        assert_eq!(read("https://[::1]:8443"), Ok(("[::1]:8443".into(), 8443)));
    }

    #[test]
    fn anything_else_is_refused() {
        for url in ["", "localhost", "http://localhost", "https://", "https://a/b", "https://a?b", "https://u@a"] {
            assert_eq!(Origin::read(url), Err(OriginError), "{url}");
        }
    }
}

//! The one port, and who has it where it is taken.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use super::owner;

/// A port of loopback, taken: connections wait until it is served.
#[derive(Debug)]
pub struct Port {
    pub(super) listener: TcpListener,
    pub(super) address: SocketAddr,
}

/// Why a port is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// Somebody else has it.
    #[error(
        "port {port} is taken{}: end that, or choose another port with --port (0 takes any free one)",
        owner.as_deref().map(|owner| format!(" by {owner}")).unwrap_or_default()
    )]
    Taken {
        /// The port.
        port: u16,
        /// Its owner's name and pid, where the system tells.
        owner: Option<String>,
    },
    /// Loopback takes nobody.
    #[error("can't listen on port {port} of loopback: {error}")]
    Refused {
        /// The port.
        port: u16,
        /// What the system said.
        error: io::Error,
    },
}

impl Port {
    /// Takes `port` of loopback; 0 takes a free one.
    pub async fn take(port: u16) -> Result<Self, PortError> {
        let taken = async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
            let address = listener.local_addr()?;
            Ok(Self { listener, address })
        };
        taken.await.map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => PortError::Taken { port, owner: owner::of(port) },
            _ => PortError::Refused { port, error },
        })
    }
}

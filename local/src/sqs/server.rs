//! The door of the endpoint: a port that is kept while connections to it are refused.

use std::{io, net::SocketAddr, sync::Arc};

use axum::{Router, serve::Listener};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
};
use tokio_util::sync::CancellationToken;

/// Holds the port of an endpoint and serves it while it is open.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    wanted: watch::Sender<bool>,
    listening: watch::Receiver<bool>,
    /// Bound and never listening: connections are refused while the door is shut, and nobody else gets the port.
    _port: TcpSocket,
}

impl Server {
    /// Takes a free port on loopback. Connections are refused until it serves.
    pub(super) fn bind() -> io::Result<(Self, Serving)> {
        let port = TcpSocket::new_v4()?;
        port.set_reuseaddr(true)?;
        port.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let address = port.local_addr()?;
        let (wanted, opened) = watch::channel(true);
        let (tell, listening) = watch::channel(false);
        let serving = Serving { address, opened, listening: Arc::new(tell) };
        Ok((Self { address, wanted, listening, _port: port }, serving))
    }

    /// Opens or shuts the door, and returns once that is so. Idle connections are closed when it shuts.
    pub(super) async fn set_open(&self, open: bool) {
        self.wanted.send_replace(open);
        // Fails when the endpoint is stopping, where there is nothing left to wait for.
        let _ = self.listening.clone().wait_for(|&listening| listening == open).await;
    }
}

/// The other half of a [`Server`]: what [`Serving::serve`] needs.
pub(super) struct Serving {
    address: SocketAddr,
    opened: watch::Receiver<bool>,
    listening: Arc<watch::Sender<bool>>,
}

impl Serving {
    /// Serves until `closing`.
    pub(super) async fn serve(mut self, router: Router, closing: CancellationToken) -> io::Result<()> {
        loop {
            tokio::select! {
                opened = self.opened.wait_for(|&open| open) => if opened.is_err() { return Ok(()) },
                () = closing.cancelled() => return Ok(()),
            }
            let door = Door::open(self.address, Arc::clone(&self.listening))?;
            let mut opened = self.opened.clone();
            let closing = closing.clone();
            let shut = async move {
                tokio::select! {
                    _ = opened.wait_for(|&open| !open) => {},
                    () = closing.cancelled() => {},
                }
            };
            let mut listening = self.listening.subscribe();
            // Not awaited: it lasts until the last request is answered, and some are meant to hang.
            tokio::spawn(axum::serve(door, router.clone()).with_graceful_shutdown(shut).into_future());
            let _ = listening.wait_for(|&listening| !listening).await;
        }
    }
}

/// A listener that says when it opened and when it is gone.
struct Door {
    listener: TcpListener,
    listening: Arc<watch::Sender<bool>>,
}

impl Door {
    fn open(address: SocketAddr, listening: Arc<watch::Sender<bool>>) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let listener = socket.listen(1024)?;
        listening.send_replace(true);
        Ok(Self { listener, listening })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.listening.send_replace(false);
    }
}

impl Listener for Door {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (io, address) = Listener::accept(&mut self.listener).await;
        // Small answers; a failure only makes them slower.
        let _ = io.set_nodelay(true);
        (io, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

//! Connections.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::rngs::StdRng;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::ledger::Ledger;
use super::script::Scripts;
use super::{Asking, Gate, Latency, Protocol, Reply, exchange};

/// Large enough that no body waits for a window update.
const FLOW_WINDOW: u32 = 1 << 20;

/// What all connections share.
pub(super) struct State<P: Protocol> {
    pub(super) protocol: P,
    pub(super) ledger: Arc<Ledger<P::Asked>>,
    pub(super) gate: Gate,
    pub(super) scripts: Mutex<Scripts>,
    pub(super) latency: Mutex<(Latency, StdRng)>,
    pub(super) streams: u32,
    /// Counts the GOAWAYs asked for.
    pub(super) go_away: watch::Sender<u64>,
    /// Ends all connections.
    pub(super) stop: CancellationToken,
    /// Ends the connections of now.
    pub(super) drop: Mutex<CancellationToken>,
    pub(super) tasks: TaskTracker,
}

impl<P: Protocol> State<P> {
    pub(super) fn next_reply(&self, device: &str) -> Reply {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner).next(device)
    }

    pub(super) fn draw_latency(&self) -> Duration {
        let mut latency = self.latency.lock().unwrap_or_else(PoisonError::into_inner);
        let (latency, rng) = &mut *latency;
        latency.draw(rng)
    }
}

/// Accepts connections until the server stops.
pub(super) async fn listen<P: Protocol>(state: Arc<State<P>>, listener: TcpListener, acceptor: TlsAcceptor) {
    loop {
        let accepted = tokio::select! {
            () = state.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((tcp, _)) = accepted else { continue };
        let close = state.drop.lock().unwrap_or_else(PoisonError::into_inner).child_token();
        let serving = connection(state.clone(), tcp, acceptor.clone(), close.clone());
        state.tasks.spawn(async move {
            tokio::select! {
                () = close.cancelled() => {}
                () = serving => {}
            }
        });
    }
}

/// Serves one connection. Dropping the future closes the socket and loses what is in flight on it.
async fn connection<P: Protocol>(
    state: Arc<State<P>>,
    tcp: TcpStream,
    acceptor: TlsAcceptor,
    close: CancellationToken,
) {
    let _ = tcp.set_nodelay(true);
    let Ok(tls) = acceptor.accept(tcp).await else { return };
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(state.streams)
        .initial_window_size(FLOW_WINDOW)
        .initial_connection_window_size(FLOW_WINDOW)
        .handshake(tls);
    let Ok(mut h2) = handshake.await else { return };
    let open = Open(state.ledger.clone(), state.ledger.connected());
    let mut go_away = state.go_away.subscribe();
    let mut exchanges = JoinSet::new();
    loop {
        tokio::select! {
            accepted = h2.accept() => {
                let Some(Ok((request, respond))) = accepted else { break };
                exchanges.spawn(exchange::serve(state.clone(), open.1, request, respond, close.clone()));
            }
            Ok(()) = go_away.changed() => h2.graceful_shutdown(),
            Some(_) = exchanges.join_next() => {}
        }
    }
}

/// One open connection, in the tally.
struct Open<A: Asking>(Arc<Ledger<A>>, u64);

impl<A: Asking> Drop for Open<A> {
    fn drop(&mut self) {
        self.0.disconnected();
    }
}

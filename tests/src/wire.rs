//! The wire to Postgres, which can be cut at the worst moment.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// A simple query `commit`, as the queue sends it.
const COMMIT: &[u8] = b"commit\0";

/// What is wrong with the wire.
#[derive(Default)]
pub struct Faults {
    /// That many commits from now on reach Postgres, and their answers are lost with the connection.
    pub lose_commit_answers: AtomicU32,
    /// Once the next commit is answered, `black_hole` is on.
    pub vanish_after_commit: AtomicBool,
    /// Nothing arrives any more, in either direction, and nobody is told.
    pub black_hole: AtomicBool,
}

/// A proxy in front of Postgres.
pub struct Wire {
    /// Where it listens.
    pub address: SocketAddr,
    /// To be switched on and off.
    pub faults: Arc<Faults>,
    serving: tokio::task::JoinHandle<()>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Wire {
    /// Starts a proxy to the Postgres at `port`.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let faults = Arc::new(Faults::default());
        let serving = tokio::spawn(serve(listener, port, faults.clone()));
        Self { address, faults, serving }
    }
}

async fn serve(listener: TcpListener, port: u16, faults: Arc<Faults>) {
    // Dropped with the listener, which ends every connection.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let faults = faults.clone();
        connections.spawn(async move {
            let Ok(server) = TcpStream::connect(("127.0.0.1", port)).await else { return };
            let (from_client, to_client) = client.into_split();
            let (from_server, to_server) = server.into_split();
            let committing = Committing::default();
            tokio::select! {
                () = requests(from_client, to_server, &faults, &committing) => {}
                () = answers(from_server, to_client, &faults, &committing) => {}
            }
        });
    }
}

/// What is to become of the answer to a commit that was passed on.
#[derive(Default)]
struct Committing {
    lost: AtomicBool,
    last: AtomicBool,
}

async fn requests(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, faults: &Faults, committing: &Committing) {
    let mut part = vec![0; 64 * 1024];
    while let Ok(n @ 1..) = from.read(&mut part).await {
        stuck(faults).await;
        if part[..n].ends_with(COMMIT) {
            let left = &faults.lose_commit_answers;
            let lost = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok();
            committing.lost.store(lost, Ordering::SeqCst);
            committing.last.store(faults.vanish_after_commit.swap(false, Ordering::SeqCst), Ordering::SeqCst);
        }
        if to.write_all(&part[..n]).await.is_err() {
            return;
        }
    }
}

async fn answers(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, faults: &Faults, committing: &Committing) {
    let mut part = vec![0; 64 * 1024];
    while let Ok(n @ 1..) = from.read(&mut part).await {
        stuck(faults).await;
        // Before the client has the answer, so that nothing it sends then gets through.
        if committing.last.load(Ordering::SeqCst) {
            faults.black_hole.store(true, Ordering::SeqCst);
        }
        // The answer has come, so it is committed; closing the connection loses it.
        if committing.lost.load(Ordering::SeqCst) || to.write_all(&part[..n]).await.is_err() {
            return;
        }
    }
}

async fn stuck(faults: &Faults) {
    if faults.black_hole.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
}

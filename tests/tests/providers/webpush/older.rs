//! A push service that has never heard of HTTP/2.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use local::webpush::Authority;
use tempfile::TempDir;
use tests::barrier::soon;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

/// What a connection is told, request by request: what to answer, or nothing to close it.
type Script = fn(nth: usize) -> Option<&'static str>;

pub const CREATED: &str = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";

pub struct Older {
    port: u16,
    folder: TempDir,
    state: Arc<State>,
    listening: JoinHandle<()>,
}

struct State {
    script: Script,
    heads: Mutex<Vec<String>>,
    counts: watch::Sender<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub connections: usize,
    pub open: usize,
    pub peak: usize,
    pub requests: usize,
}

impl Older {
    pub async fn start(script: Script) -> Self {
        let authority = Authority::new().expect("certificates");
        let folder = TempDir::new().expect("a folder");
        std::fs::write(folder.path().join("ca.pem"), authority.ca_pem()).expect("the CA can be written");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let state = Arc::new(State { script, heads: Mutex::default(), counts: watch::Sender::default() });
        let listening = tokio::spawn(listen(listener, authority.older_acceptor(), state.clone()));
        Self { port, folder, state, listening }
    }

    pub fn base_url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    pub fn ca(&self) -> PathBuf {
        Path::new(self.folder.path()).join("ca.pem")
    }

    /// The heads of all requests.
    pub fn heads(&self) -> Vec<String> {
        self.state.heads.lock().expect("no panic").clone()
    }

    pub fn counts(&self) -> Counts {
        *self.state.counts.borrow()
    }

    pub async fn wait_until(&self, condition: impl Fn(&Counts) -> bool) {
        let mut counts = self.state.counts.subscribe();
        soon(counts.wait_for(|counts| condition(counts))).await.expect("the server runs");
    }
}

impl Drop for Older {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, acceptor: TlsAcceptor, state: Arc<State>) {
    let mut connections = JoinSet::new();
    while let Ok((tcp, _)) = listener.accept().await {
        let (acceptor, state) = (acceptor.clone(), state.clone());
        connections.spawn(async move {
            state.counts.send_modify(|counts| {
                counts.connections += 1;
                counts.open += 1;
                counts.peak = counts.peak.max(counts.open);
            });
            let _ = serve(tcp, &acceptor, &state).await;
            state.counts.send_modify(|counts| counts.open -= 1);
        });
    }
}

async fn serve(tcp: TcpStream, acceptor: &TlsAcceptor, state: &State) -> std::io::Result<()> {
    let mut stream = acceptor.accept(tcp).await?;
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        stream.read_exact(&mut vec![0; length.expect("a length")]).await?;
        state.heads.lock().expect("no panic").push(head);
        let nth = state.counts.borrow().requests;
        state.counts.send_modify(|counts| counts.requests += 1);
        let Some(answer) = (state.script)(nth) else { return Ok(()) };
        if answer.is_empty() {
            // Hangs until the client goes.
            stream.read_u8().await?;
        }
        stream.write_all(answer.as_bytes()).await?;
        stream.flush().await?;
    }
}

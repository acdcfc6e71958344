//! A TCP proxy that can go silent, as a network path does.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub struct Proxy {
    address: SocketAddr,
    /// Connections up to this one forward nothing any more.
    silenced: watch::Sender<u64>,
    accepted: watch::Receiver<u64>,
    listening: JoinHandle<()>,
}

impl Proxy {
    pub async fn start(to: &str) -> Self {
        Self::start_at("127.0.0.1", to).await
    }

    pub async fn start_at(host: &str, to: &str) -> Self {
        let to = to.strip_prefix("https://").expect("a base URL").to_owned();
        let listener = TcpListener::bind((host, 0)).await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let silenced = watch::Sender::new(0);
        let (count, accepted) = watch::channel(0);
        let silence = silenced.clone();
        let listening = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                count.send_modify(|count| *count += 1);
                let Ok(server) = TcpStream::connect(&to).await else { continue };
                let (nth, silence) = (*count.borrow(), silence.subscribe());
                let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
                connections.spawn(forward(from_client, to_server, nth, silence.clone()));
                connections.spawn(forward(from_server, to_client, nth, silence));
            }
        });
        Self { address, silenced, accepted, listening }
    }

    pub fn base_url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// Silences the connections of now: they stay open and nothing passes.
    pub fn silence(&self) {
        self.silenced.send_replace(*self.accepted.borrow());
    }

    /// Connections so far.
    pub fn connections(&self) -> u64 {
        *self.accepted.borrow()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, nth: u64, silence: watch::Receiver<u64>) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if *silence.borrow() < nth && to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}

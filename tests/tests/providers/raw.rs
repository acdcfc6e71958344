//! A server that speaks HTTP/2 frame by frame, for what a well-behaved library never does.

use std::path::Path;

use local::apns::Authority;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
const GOAWAY: u8 = 7;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const MAX_CONCURRENT_STREAMS: u16 = 3;
/// `:status: 200` is entry 8 of HPACK's static table.
const STATUS_200: [u8; 1] = [0x88];

/// Listens with a certificate of its own CA, which it writes to `ca`.
pub struct RawServer {
    listener: TcpListener,
    authority: Authority,
}

/// One connection.
pub struct RawConnection<S> {
    stream: S,
    /// The streams whose requests have arrived with their whole bodies.
    pub requests: Vec<u32>,
    /// Every frame that arrived: its type, and whether it is an acknowledgement.
    pub frames: Vec<(u8, bool)>,
}

impl RawServer {
    pub async fn start(ca: &Path) -> Self {
        let authority = Authority::new().expect("certificates");
        std::fs::write(ca, authority.ca_pem()).expect("the CA can be written");
        Self { listener: TcpListener::bind("127.0.0.1:0").await.expect("a port"), authority }
    }

    pub fn base_url(&self) -> String {
        format!("https://{}", self.listener.local_addr().expect("bound"))
    }

    /// The next connection, after its preface and with our SETTINGS sent.
    pub async fn accept(&self) -> RawConnection<impl AsyncRead + AsyncWrite + Unpin + use<>> {
        let (tcp, _) = self.listener.accept().await.expect("a connection");
        let stream = self.authority.acceptor().accept(tcp).await.expect("TLS");
        let mut connection = RawConnection { stream, requests: Vec::new(), frames: Vec::new() };
        let mut preface = [0; 24];
        connection.stream.read_exact(&mut preface).await.expect("a preface");
        connection.write(SETTINGS, 0, 0, &[]).await;
        connection
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> RawConnection<S> {
    /// Reads frames until another request is complete; its stream. None when the client has closed.
    pub async fn request(&mut self) -> Option<u32> {
        loop {
            let (kind, flags, id) = self.frame().await?;
            if kind == DATA && flags & END_STREAM != 0 {
                return Some(id);
            }
        }
    }

    /// Whatever requests the client has sent by the time it has answered several PINGs, one after the other.
    pub async fn requests_so_far(&mut self) -> usize {
        for _ in 0..5 {
            self.write(PING, 0, 0, &[7; 8]).await;
            loop {
                let (kind, flags, _) = self.frame().await.expect("the client is there");
                if kind == PING && flags & ACK != 0 {
                    break;
                }
            }
        }
        self.requests.len()
    }

    /// Reads one frame, and acknowledges what asks for it.
    async fn frame(&mut self) -> Option<(u8, u8, u32)> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).await.ok()?;
        let [l1, l2, l3, kind, flags, id @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, l1, l2, l3]) as usize];
        self.stream.read_exact(&mut payload).await.ok()?;
        let id = u32::from_be_bytes(id);
        self.frames.push((kind, flags & ACK != 0));
        match kind {
            SETTINGS if flags & ACK == 0 => self.write(SETTINGS, ACK, 0, &[]).await,
            PING if flags & ACK == 0 => self.write(PING, ACK, 0, &payload).await,
            DATA if flags & END_STREAM != 0 => self.requests.push(id),
            _ => {}
        }
        Some((kind, flags, id))
    }

    /// Allows this many streams at once, from now on, and waits until the client knows.
    pub async fn allow(&mut self, streams: u32) {
        let mut payload = MAX_CONCURRENT_STREAMS.to_be_bytes().to_vec();
        payload.extend(streams.to_be_bytes());
        self.write(SETTINGS, 0, 0, &payload).await;
        while self.frame().await.expect("the client is there") != (SETTINGS, ACK, 0) {}
    }

    /// Answers 200.
    pub async fn deliver(&mut self, stream: u32) {
        self.write(HEADERS, END_STREAM | END_HEADERS, stream, &STATUS_200).await;
    }

    /// Says that streams above `last` were not processed.
    pub async fn go_away(&mut self, last: u32) {
        let mut payload = last.to_be_bytes().to_vec();
        payload.extend([0; 4]);
        self.write(GOAWAY, 0, 0, &payload).await;
    }

    async fn write(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len()).expect("short").to_be_bytes();
        let mut frame = vec![length[1], length[2], length[3], kind, flags];
        frame.extend(stream.to_be_bytes());
        frame.extend(payload);
        self.stream.write_all(&frame).await.expect("the client reads");
        self.stream.flush().await.expect("the client reads");
    }
}

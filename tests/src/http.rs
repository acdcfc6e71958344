//! HTTP by hand, for what no client would send.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::barrier::soon;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: String,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Sends a request that consists of this head (each line of it ended) and no body, on a connection of its own.
pub async fn ask(address: SocketAddr, head: &str) -> Answer {
    soon(async {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        let request = format!("{head}Connection: close\r\nContent-Length: 0\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("it takes the request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("it answers");
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status");
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Answer { status, headers, body: body.to_owned() }
    })
    .await
}

/// Gets a path as a browser would.
pub async fn get(address: SocketAddr, path: &str) -> Answer {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n")).await
}

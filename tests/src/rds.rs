//! A stand-in for RDS with IAM: a proxy that asks every connection for a token, holds it to what RDS holds it to, and
//! only then passes it on to a Postgres that trusts everybody.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// `AuthenticationCleartextPassword`: so RDS asks a role that has `rds_iam`.
const ASK: [u8; 9] = [b'R', 0, 0, 0, 8, 0, 0, 0, 3];

/// See the module.
pub struct Rds {
    /// Where it listens.
    pub address: SocketAddr,
    tokens: Arc<Mutex<Vec<String>>>,
    serving: JoinHandle<()>,
}

impl Drop for Rds {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Rds {
    /// Starts one before the Postgres at `port`; `takes` judges a token by what it says and how many came before.
    pub async fn before(port: u16, takes: impl Fn(&str, usize) -> bool + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let tokens = Arc::new(Mutex::new(Vec::new()));
        let (seen, takes) = (tokens.clone(), Arc::new(takes));
        let serving = tokio::spawn(async move {
            // Dropped with the listener, which ends every connection.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let (seen, takes) = (seen.clone(), takes.clone());
                connections.spawn(async move {
                    // A connection that ends early is its client's to report.
                    let _ = serve(client, port, |token| {
                        let mut seen = seen.lock().expect("no panic holds it");
                        seen.push(token.to_owned());
                        takes(token, seen.len() - 1)
                    })
                    .await;
                });
            }
        });
        Self { address, tokens, serving }
    }

    /// Every token that came, refused ones too.
    pub fn tokens(&self) -> Vec<String> {
        self.tokens.lock().expect("no panic holds it").clone()
    }
}

async fn serve(mut client: TcpStream, port: u16, takes: impl Fn(&str) -> bool) -> std::io::Result<()> {
    let start = message(&mut client).await?;
    client.write_all(&ASK).await?;
    let _kind = client.read_u8().await?;
    let answer = message(&mut client).await?;
    // Behind the length, up to the NUL.
    let token = String::from_utf8_lossy(&answer[4..answer.len() - 1]).into_owned();
    if !takes(&token) {
        let fields = b"SFATAL\0C28000\0MPAM authentication failed for user\0\0";
        client.write_u8(b'E').await?;
        client.write_u32(4 + fields.len() as u32).await?;
        return client.write_all(fields).await;
    }
    let mut server = TcpStream::connect(("127.0.0.1", port)).await?;
    server.write_all(&start).await?;
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

/// A message with its length, which counts itself.
async fn message(client: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let length = client.read_u32().await?;
    let mut message = length.to_be_bytes().to_vec();
    message.resize((length as usize).clamp(5, 64 * 1024), 0);
    client.read_exact(&mut message[4..]).await?;
    Ok(message)
}

//! One simulated FCM and the drain's client for it.

use std::time::Duration;

use drain::outcome::Sent;
use local::fcm::{Options, Server};
use pushwake::contract::Target;
use pushwake::queue::Notification;
use serde_json::json;
use tempfile::TempDir;
use time::OffsetDateTime;
use tokio::task::JoinHandle;

use crate::rig::Client;

pub struct Rig {
    pub server: Server,
    pub client: Client,
    folder: TempDir,
}

impl Rig {
    pub async fn start(options: Options) -> Self {
        let server = Server::start(options).await.expect("the server starts");
        let folder = TempDir::new().expect("a folder");
        let client = client(&server, &folder, &[], &server.key_json());
        Self { server, client, folder }
    }

    /// Another client, with a key and settings of its own.
    pub fn client_with(&self, settings: &[(&str, &str)], key: &str) -> Client {
        client(&self.server, &self.folder, settings, key)
    }
}

fn client(server: &Server, folder: &TempDir, changed: &[(&str, &str)], key: &str) -> Client {
    let credentials = server.write_credentials(folder.path()).expect("the credentials can be written");
    let mut settings = server.app(&credentials);
    for (setting, value) in changed {
        settings[setting] = (*value).into();
    }
    Client::new(&settings, &credentials.ca, key)
}

/// Sends the `n`-th notification of a device.
pub async fn send(client: &Client, token: &str, n: i64) -> Sent {
    client.send_stored(token, n, &notification(token, n)).await
}

/// [`send`], at the same time as others.
pub fn start_send(client: &Client, token: &str, n: i64) -> JoinHandle<Sent> {
    let (client, token) = (client.clone(), token.to_owned());
    tokio::spawn(async move { send(&client, &token, n).await })
}

fn notification(token: &str, n: i64) -> Notification {
    let now = OffsetDateTime::now_utc();
    let content = json!({"title": "Hello", "collapse_id": "c-1", "data": {"n": n.to_string()}});
    Notification {
        source: "orders".into(),
        event: format!("event-{n}").into(),
        kind: "alert".into(),
        payload: json!({"kind": "alert", "event": format!("event-{n}"), "notification": content}).to_string(),
        target: Target::Fcm { token: token.to_owned() }.to_json(),
        send_at: now,
        expires_at: now + Duration::from_mins(5),
    }
}

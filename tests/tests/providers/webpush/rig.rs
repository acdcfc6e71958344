//! One simulated push service and the drain's client for it.

use std::path::Path;
use std::time::Duration;

use drain::outcome::Sent;
use local::webpush::{Options, Server};
use pushwake::contract::{Subscription, Target};
use pushwake::queue::Notification;
use serde_json::{Value, json};
use tempfile::TempDir;
use time::OffsetDateTime;

use crate::rig::Client;

pub struct Rig {
    pub server: Server,
    pub client: Client,
    folder: TempDir,
}

impl Rig {
    pub async fn start() -> Self {
        let server = Server::start(Options::default()).await.expect("the server starts");
        let folder = TempDir::new().expect("a folder");
        let client = client(&server, folder.path(), &[]);
        Self { server, client, folder }
    }

    /// Another client, with settings of its own.
    pub fn client_with(&self, changed: &[(&str, Value)]) -> Client {
        client(&self.server, self.folder.path(), changed)
    }

    /// A client of another service, with the same key.
    pub fn client_at(&self, base_url: &str, ca: &Path) -> Client {
        let credentials = self.server.write_credentials(self.folder.path()).expect("the credentials can be written");
        let mut settings = self.server.app(&credentials);
        settings["base_url"] = base_url.into();
        Client::new(&settings, ca, self.server.key())
    }

    /// A new browser.
    pub fn subscribe(&self, name: &str) -> Target {
        target(self.server.subscribe(name))
    }

    /// Subscribes a browser and sends it one notification.
    pub async fn send(&self, name: &str, n: i64) -> Sent {
        send(&self.client, &self.subscribe(name), n).await
    }
}

fn client(server: &Server, folder: &Path, changed: &[(&str, Value)]) -> Client {
    let credentials = server.write_credentials(folder).expect("the credentials can be written");
    let mut settings = server.app(&credentials);
    for (setting, value) in changed {
        settings[setting] = value.clone();
    }
    Client::new(&settings, &credentials.ca, server.key())
}

/// What enqueue stores of a subscription.
pub fn target(subscription: Subscription) -> Target {
    let Subscription { endpoint, keys } = subscription;
    Target::WebPush { endpoint, p256dh: keys.p256dh, auth: keys.auth }
}

/// The same target at another endpoint.
pub fn at(target: &Target, url: &str) -> Target {
    let Target::WebPush { p256dh, auth, .. } = target.clone() else { panic!("no subscription") };
    Target::WebPush { endpoint: url.to_owned(), p256dh, auth }
}

/// Sends the `n`-th notification of a browser.
pub async fn send(client: &Client, target: &Target, n: i64) -> Sent {
    send_content(client, target, n, &json!({"title": "Hello", "collapse_id": "c-1", "data": {"n": n}})).await
}

/// Sends a notification that says this.
pub async fn send_content(client: &Client, target: &Target, n: i64, content: &Value) -> Sent {
    let now = OffsetDateTime::now_utc();
    let stored = Notification {
        source: "orders".into(),
        event: format!("event-{n}").into(),
        kind: "alert".into(),
        payload: json!({"kind": "alert", "event": format!("event-{n}"), "notification": content}).to_string(),
        target: target.to_json(),
        send_at: now,
        expires_at: now + Duration::from_mins(5),
    };
    client.send_stored("d", n, &stored).await
}

//! One simulated APNs and the drain's client for it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use drain::clock::DatabaseClock;
use drain::outcome::{Outcome, Sent};
use drain::provider::{Providers, Send};
use local::apns::{Options, Server};
use pushwake::app::Apps;
use pushwake::contract::{AppId, DeviceId, Target};
use pushwake::queue::{Lease, Notification};
use serde_json::{Value, json};
use tempfile::TempDir;
use time::OffsetDateTime;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::raw::RawServer;

pub struct Rig {
    pub server: Server,
    pub folder: TempDir,
    pub client: Client,
}

impl Rig {
    pub async fn start(options: Options) -> Self {
        let server = Server::start(options).await.expect("the server starts");
        let folder = TempDir::new().expect("a folder");
        let client = Client::of(&server, folder.path(), None);
        Self { server, folder, client }
    }

    /// A server that speaks frame by frame, and a client of it.
    pub async fn raw(&self) -> (RawServer, Client) {
        let ca = self.folder.path().join("raw-ca.pem");
        let server = RawServer::start(&ca).await;
        let credentials = self.server.write_credentials(self.folder.path()).expect("written");
        let mut settings = self.server.app(&credentials);
        settings["base_url"] = server.base_url().into();
        let client = Client::new(&settings, &ca, self.server.key_pem());
        (server, client)
    }

    /// Another instance, with its own connection and nothing shared.
    pub fn instance(&self) -> Client {
        Client::of(&self.server, self.folder.path(), None)
    }
}

/// The drain's client of one app.
#[derive(Clone)]
pub struct Client {
    providers: Arc<Providers>,
    app: AppId,
    pub clock: DatabaseClock,
}

impl Client {
    /// A client of `server`, at `base_url` instead of the server's if that is given.
    pub fn of(server: &Server, folder: &Path, base_url: Option<&str>) -> Self {
        let credentials = server.write_credentials(folder).expect("the credentials can be written");
        let mut settings = server.app(&credentials);
        if let Some(base_url) = base_url {
            settings["base_url"] = base_url.into();
        }
        Self::new(&settings, &credentials.ca, server.key_pem())
    }

    /// A client with these settings of its app.
    pub fn new(settings: &Value, ca: &Path, key: &str) -> Self {
        let app = AppId::from("ios");
        let apps = Apps::parse(&json!({"ios": settings}).to_string()).expect("the settings are complete");
        let mut providers = Providers::new(Some(ca)).expect("the CA can be read");
        providers.add(apps.find(&app).expect("the app"), key).expect("the key can be used");
        Self { providers: Arc::new(providers), app, clock: DatabaseClock::showing(OffsetDateTime::now_utc()) }
    }

    /// Sends the `n`-th notification of a device.
    pub async fn send(&self, device: &str, n: i64) -> Sent {
        self.send_stored(device, n, &notification(device, n)).await
    }

    /// Sends what is stored as the `n`-th notification of a device.
    pub async fn send_stored(&self, device: &str, n: i64, notification: &Notification) -> Sent {
        let lease = Lease { app: self.app.clone(), device: DeviceId::from(device), head: n, token: Uuid::new_v4() };
        let provider = self.providers.of(&self.app).expect("the app has a client");
        provider.send(&Send { lease: &lease, notification, clock: self.clock }).await
    }

    /// [`send`](Self::send), at the same time as others.
    pub fn start_send(&self, device: &str, n: i64) -> JoinHandle<Sent> {
        let (client, device) = (self.clone(), device.to_owned());
        tokio::spawn(async move { client.send(&device, n).await })
    }
}

fn notification(device: &str, n: i64) -> Notification {
    let now = OffsetDateTime::now_utc();
    let content = json!({"title": "Hello", "collapse_id": "c-1", "data": {"n": n}});
    Notification {
        source: "orders".into(),
        event: format!("event-{n}").into(),
        kind: "alert".into(),
        payload: json!({"kind": "alert", "event": format!("event-{n}"), "notification": content}).to_string(),
        target: Target::Apns { token: device.to_owned() }.to_json(),
        send_at: now,
        expires_at: now + Duration::from_mins(5),
    }
}

/// The device token of the `i`-th device.
pub fn device(i: usize) -> String {
    format!("{i:064x}")
}

/// The name and the reason of an outcome.
pub fn named(outcome: &Outcome) -> (&str, &str) {
    (outcome.name(), outcome.reason().unwrap_or_default())
}

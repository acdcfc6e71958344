//! The providers, one variant each, and the one thing a drain asks of them.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use futures::future::BoxFuture;
use pushwake::app::{App, Platform};
use pushwake::contract::AppId;
use pushwake::queue::{Lease, Notification};

use crate::clock::DatabaseClock;
use crate::connection::{Connections, TlsError};
use crate::outcome::Sent;
use crate::{apns, fcm, webpush};

/// One notification to hand over. Its `Debug` is left out: it would show content.
#[derive(Clone, Copy)]
pub struct Send<'a> {
    /// The right to send it, which names app, device and seq.
    pub lease: &'a Lease,
    /// What to send.
    pub notification: &'a Notification,
    /// The database's clock.
    pub clock: DatabaseClock,
}

/// The client of one app.
#[derive(Clone, Debug)]
pub enum Provider {
    /// Apple's push service.
    Apns(apns::Client),
    /// Google's push service.
    Fcm(fcm::Client),
    /// The push services of browsers.
    WebPush(webpush::Client),
    /// A test's: answers whatever its script says.
    Script(Script),
}

/// A scripted provider.
#[derive(Clone)]
pub struct Script(Arc<dyn Fn(Lease, Notification) -> BoxFuture<'static, Sent> + Sync + std::marker::Send>);

impl Script {
    /// Answers every send by `script`.
    pub fn new<Answering>(
        script: impl Fn(Lease, Notification) -> Answering + Sync + std::marker::Send + 'static,
    ) -> Self
    where
        Answering: Future<Output = Sent> + std::marker::Send + 'static,
    {
        Self(Arc::new(move |lease, notification| Box::pin(script(lease, notification))))
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

impl Provider {
    /// Hands one notification over. Ends within [`SEND_TIMEOUT`](pushwake::limits::SEND_TIMEOUT), whatever the
    /// provider does; dropping the future resets its stream, which ends the flight.
    pub async fn send(&self, send: &Send<'_>) -> Sent {
        match self {
            Self::Apns(client) => client.send(send).await,
            Self::Fcm(client) => client.send(send).await,
            Self::WebPush(client) => client.send(send).await,
            Self::Script(Script(script)) => script(send.lease.clone(), send.notification.clone()).await,
        }
    }
}

/// The clients of all apps whose keys could be read, over shared connections.
#[derive(Debug)]
pub struct Providers {
    connections: Connections,
    apns: apns::Tokens,
    fcm: fcm::Tokens,
    by_app: HashMap<AppId, Provider>,
}

/// An app that can't send. It is paused alone; the others are served.
#[derive(Debug, thiserror::Error)]
#[error("app {} can't send: {fault}", .app.as_str())]
pub struct AddError {
    /// The app.
    pub app: AppId,
    /// What is wrong with it.
    #[source]
    pub fault: SetupError,
}

/// What is wrong with an app's settings or its key.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// Of an APNs app.
    #[error(transparent)]
    Apns(#[from] apns::SetupError),
    /// Of an FCM app.
    #[error(transparent)]
    Fcm(#[from] fcm::SetupError),
    /// Of a Web Push app.
    #[error(transparent)]
    WebPush(#[from] webpush::SetupError),
}

impl Providers {
    /// No clients yet. `extra_ca` is a PEM file trusted beside the system's roots.
    pub fn new(extra_ca: Option<&Path>) -> Result<Self, TlsError> {
        let connections = Connections::new(extra_ca)?;
        Ok(Self { connections, apns: apns::Tokens::default(), fcm: fcm::Tokens::default(), by_app: HashMap::new() })
    }

    /// Adds the client of an app. `key` is the secret its settings refer to. Nothing is connected yet.
    pub fn add(&mut self, app: &App, key: &str) -> Result<(), AddError> {
        let client = self.client(&app.platform, key).map_err(|fault| AddError { app: app.id.clone(), fault })?;
        self.by_app.insert(app.id.clone(), client);
        Ok(())
    }

    fn client(&mut self, platform: &Platform, key: &str) -> Result<Provider, SetupError> {
        let to = &mut self.connections;
        Ok(match platform {
            Platform::Apns(app) => Provider::Apns(apns::Client::new(app, key, to, &mut self.apns)?),
            Platform::Fcm(app) => Provider::Fcm(fcm::Client::new(app, key, to, &mut self.fcm)?),
            Platform::WebPush(app) => Provider::WebPush(webpush::Client::new(app, key, to.dialer())?),
        })
    }

    /// Adds an app that a test answers for.
    pub fn add_script(&mut self, app: AppId, script: Script) {
        self.by_app.insert(app, Provider::Script(script));
    }

    /// The client of an app.
    pub fn of(&self, app: &AppId) -> Option<&Provider> {
        self.by_app.get(app)
    }

    /// The apps that can send.
    pub fn apps(&self) -> impl Iterator<Item = &AppId> {
        self.by_app.keys()
    }
}

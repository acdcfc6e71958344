//! The clients of the configured apps. One whose key is missing or unreadable is paused alone; the others are served.

use std::sync::Arc;
use std::time::Duration;

use pushwake::app::App;
use pushwake::contract::AppId;
use pushwake::function::secret::{SecretRef, Secrets};
use pushwake::queue::Queue;
use tokio::time::Instant;

use crate::policy::UNREADABLE_KEY;
use crate::provider::Providers;

/// How often a process tries again to read a key.
const TRY_EVERY: Duration = Duration::from_mins(1);

/// The apps that can't send yet.
#[derive(Debug)]
pub struct Unable {
    apps: Vec<App>,
    secrets: Arc<Secrets>,
    tried: Option<Instant>,
    /// Their pauses are to be written.
    unpaused: Vec<AppId>,
}

impl Unable {
    /// No client has been built yet.
    pub fn new(apps: Vec<App>, secrets: Arc<Secrets>) -> Self {
        Self { apps, secrets, tried: None, unpaused: Vec::new() }
    }

    /// Builds the clients that are missing. Those that can't be built are tried again by an invocation a minute later.
    pub async fn build(&mut self, providers: &mut Providers) {
        if self.apps.is_empty() || self.tried.is_some_and(|tried| tried.elapsed() < TRY_EVERY) {
            return;
        }
        self.tried = Some(Instant::now());
        for app in std::mem::take(&mut self.apps) {
            if let Err(error) = add(&app, &self.secrets, providers).await {
                tracing::error!(alarm = "app_paused", app = app.id.as_str(), error, "the app can't send and is paused");
                self.apps.push(app);
            }
        }
        self.unpaused = self.apps.iter().map(|app| app.id.clone()).collect();
    }

    /// Pauses what can't send, so that nobody is woken for it. What it has queued stays; a drain that has the key ends
    /// the pause. What could not be written is left to the next invocation. Answers whether a pause was written.
    pub async fn pause(&mut self, queue: &Queue) -> bool {
        let mut written = false;
        for app in std::mem::take(&mut self.unpaused) {
            if let Err(error) = queue.pause(&app, UNREADABLE_KEY, None).await {
                tracing::warn!(app = app.as_str(), %error, "the app could not be paused");
                self.unpaused.push(app);
            } else {
                written = true;
            }
        }
        written
    }
}

async fn add(app: &App, secrets: &Secrets, providers: &mut Providers) -> Result<(), String> {
    let reference = SecretRef::read(app.platform.key()).ok_or("its key is no reference to a secret")?;
    let key = secrets.read(&reference).await.map_err(|error| error.to_string())?;
    providers.add(app, key.expose()).map_err(|error| error.fault.to_string())
}

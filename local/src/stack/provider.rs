//! The simulated provider, and the app that sends to it.

use serde_json::{Map, Value};

use super::{Options, StackError};
use crate::apns::{Credentials, Server};
use crate::reaper::Folder;

/// The app that every stack has: it sends to the simulated APNs.
pub const APP: &str = "ios-prod";

/// The server, and the folder of what the drains need to reach it.
pub(super) struct Provider {
    pub(super) server: Server,
    pub(super) credentials: Credentials,
    pub(super) folder: Folder,
}

impl Provider {
    pub(super) async fn start(options: &Options) -> Result<Self, StackError> {
        let server = Server::start(options.apns.clone()).await?;
        let folder = Folder::create(&std::env::temp_dir()).map_err(StackError::Folder)?;
        let credentials = server.write_credentials(folder.path()).map_err(StackError::Folder)?;
        Ok(Self { server, credentials, folder })
    }

    /// The configured apps.
    pub(super) fn apps(&self, options: &Options) -> Value {
        let mut apps = Map::from_iter([(APP.to_owned(), self.server.app(&self.credentials))]);
        apps.extend(options.apps.clone());
        Value::Object(apps)
    }
}

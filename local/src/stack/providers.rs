//! The simulated providers, and the apps that send to them.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::{Options, StackError};
use crate::provider::Authority;
use crate::reaper::Folder;
use crate::{apns, fcm, webpush};

/// The app that sends to the simulated APNs.
pub const APP: &str = "ios-prod";
/// The app that sends to the simulated FCM.
pub const ANDROID: &str = "android";
/// The app that sends to the simulated push service.
pub const WEB: &str = "web";

/// The servers, and what the functions need to reach them.
pub(super) struct Providers {
    pub(super) apns: apns::Server,
    pub(super) fcm: fcm::Server,
    pub(super) webpush: webpush::Server,
    /// The configured apps.
    pub(super) apps: Map<String, Value>,
    /// The one CA of them all.
    pub(super) ca: PathBuf,
    // Holds the CA and the keys.
    pub(super) folder: Folder,
}

impl Providers {
    pub(super) async fn start(options: &Options) -> Result<Self, StackError> {
        let authority = Authority::new()?;
        let apns = apns::Server::start_under(&authority, options.apns.clone()).await?;
        let fcm = fcm::Server::start_under(&authority, options.fcm.clone()).await?;
        let webpush = webpush::Server::start_under(&authority, options.webpush.clone()).await?;
        let folder = Folder::create(&std::env::temp_dir()).map_err(StackError::Folder)?;
        let credentials = apns.write_credentials(folder.path()).map_err(StackError::Folder)?;
        let account = fcm.write_credentials(folder.path()).map_err(StackError::Folder)?;
        let vapid = webpush.write_credentials(folder.path()).map_err(StackError::Folder)?;
        let simulated = [(APP, apns.app(&credentials)), (ANDROID, fcm.app(&account)), (WEB, webpush.app(&vapid))];
        let simulated = simulated.map(|(app, settings)| (app.to_owned(), settings));
        Ok(Self {
            apns,
            fcm,
            webpush,
            apps: simulated.into_iter().chain(options.apps.clone()).collect(),
            ca: credentials.ca,
            folder,
        })
    }
}

//! Apps that send to the real providers, instead of the simulated ones of a stack.

mod apns;
mod fcm;
mod webpush;

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::stack::{ANDROID, APP, WEB};

/// Keys of the real providers. An app whose key is given sends to real devices.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Real providers")]
pub struct Real {
    #[command(flatten)]
    apns: apns::RealApns,
    #[command(flatten)]
    fcm: fcm::RealFcm,
    #[command(flatten)]
    webpush: webpush::RealWebPush,
}

/// A key that no app can be made of.
#[derive(Debug, thiserror::Error)]
pub enum RealError {
    /// It can't be read.
    #[error("{option} {}: {error}; check the path and who may read it", .file.display())]
    Unread {
        /// The option that names it.
        option: &'static str,
        /// The file.
        file: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// It is something else.
    #[error("{option} {}: {must}", .file.display())]
    Unfit {
        /// The option that names it.
        option: &'static str,
        /// The file.
        file: PathBuf,
        /// What it must be.
        must: &'static str,
    },
}

impl Real {
    /// The apps, by the ids of the simulated ones whose place they take.
    pub fn apps(&self) -> Result<Map<String, Value>, RealError> {
        let apps = [(APP, self.apns.app()?), (ANDROID, self.fcm.app()?), (WEB, self.webpush.app()?)];
        Ok(apps.into_iter().filter_map(|(id, app)| Some((id.to_owned(), app?))).collect())
    }
}

/// A key file: its whole path, since the functions run elsewhere, and what it holds.
struct Key {
    option: &'static str,
    file: PathBuf,
    text: String,
}

impl Key {
    fn read(option: &'static str, file: &Path) -> Result<Self, RealError> {
        let unread = |error| RealError::Unread { option, file: file.to_owned(), error };
        let text = std::fs::read_to_string(file).map_err(unread)?;
        Ok(Self { option, file: file.canonicalize().map_err(unread)?, text })
    }

    fn reference(&self) -> Value {
        json!(format!("file:{}", self.file.display()))
    }

    fn unfit(self, must: &'static str) -> RealError {
        RealError::Unfit { option: self.option, file: self.file, must }
    }
}

#[cfg(test)]
mod tests;

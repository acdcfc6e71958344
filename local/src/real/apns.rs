//! A real APNs app.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::{Key, RealError};

// Clap names an option after its field.
#[allow(clippy::struct_field_names)]
#[derive(Debug, Default, clap::Args)]
pub(super) struct RealApns {
    /// Sends to Apple: the .p8 file, as Apple named it (`AuthKey_<key id>.p8`).
    #[arg(long, value_name = "FILE", requires_all = ["apns_team", "apns_topic"])]
    apns_key: Option<PathBuf>,
    /// The team's id, ten characters.
    #[arg(long, value_name = "ID", requires = "apns_key")]
    apns_team: Option<String>,
    /// The app's bundle id.
    #[arg(long, value_name = "BUNDLE", requires = "apns_key")]
    apns_topic: Option<String>,
    /// The key's id, if the file's name does not say it.
    #[arg(long, value_name = "ID", requires = "apns_key")]
    apns_key_id: Option<String>,
    /// Which of Apple's two services the app's tokens belong to: Xcode's builds are of the sandbox.
    #[arg(long, default_value = "sandbox", requires = "apns_key")]
    apns_environment: Environment,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Environment {
    #[default]
    Sandbox,
    Production,
}

impl RealApns {
    pub(super) fn app(&self) -> Result<Option<Value>, RealError> {
        let Some(file) = &self.apns_key else { return Ok(None) };
        let key = Key::read("--apns-key", file)?;
        let named = file.file_stem().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix("AuthKey_"));
        let Some(id) = self.apns_key_id.as_deref().or(named) else {
            return Err(key.unfit("its name is not AuthKey_<key id>.p8; give --apns-key-id"));
        };
        if !key.text.contains("PRIVATE KEY") {
            return Err(key.unfit("must be the .p8 file (PEM) that Apple issued"));
        }
        let environment = match self.apns_environment {
            Environment::Sandbox => "sandbox",
            Environment::Production => "production",
        };
        Ok(Some(json!({
            "platform": "apns", "environment": environment, "topic": self.apns_topic, "team": self.apns_team,
            "key_id": id, "key": key.reference(),
        })))
    }
}

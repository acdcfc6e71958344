//! A real FCM app.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Key, RealError};

#[derive(Debug, Default, clap::Args)]
pub(super) struct RealFcm {
    /// Sends to Google: the JSON file of a service account, whose project it sends for.
    #[arg(long, value_name = "FILE")]
    fcm_key: Option<PathBuf>,
}

impl RealFcm {
    pub(super) fn app(&self) -> Result<Option<Value>, RealError> {
        let Some(file) = &self.fcm_key else { return Ok(None) };
        let key = Key::read("--fcm-key", file)?;
        let account: Value = serde_json::from_str(&key.text).unwrap_or_default();
        let Some(project) = account["project_id"].as_str() else {
            return Err(key.unfit("must be the JSON file of a service account, with its project_id"));
        };
        Ok(Some(json!({"platform": "fcm", "project": project, "key": key.reference()})))
    }
}

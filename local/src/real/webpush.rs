//! A real Web Push app.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::SecretKey;
use serde_json::{Value, json};

use super::{Key, RealError};

// Clap names an option after its field.
#[allow(clippy::struct_field_names)]
#[derive(Debug, Default, clap::Args)]
pub(super) struct RealWebPush {
    /// Sends to browsers' push services: the private VAPID key, 32 bytes in base64url or PEM.
    #[arg(long, value_name = "FILE", requires = "vapid_subject")]
    vapid_key: Option<PathBuf>,
    /// Whom a push service writes to: mailto: or https:.
    #[arg(long, value_name = "ADDRESS", requires = "vapid_key")]
    vapid_subject: Option<String>,
}

impl RealWebPush {
    pub(super) fn app(&self) -> Result<Option<Value>, RealError> {
        let Some(file) = &self.vapid_key else { return Ok(None) };
        let key = Key::read("--vapid-key", file)?;
        let Some(secret) = read(key.text.trim()) else {
            return Err(key.unfit("must be a P-256 private key: 32 bytes in base64url, or PEM"));
        };
        let public = URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes());
        Ok(Some(json!({
            "platform": "webpush", "subject": self.vapid_subject, "public_key": public, "key": key.reference(),
        })))
    }
}

fn read(key: &str) -> Option<SecretKey> {
    if key.starts_with("-----") {
        return SecretKey::from_pem(key).ok();
    }
    SecretKey::from_slice(&URL_SAFE_NO_PAD.decode(key.trim_end_matches('=')).ok()?).ok()
}

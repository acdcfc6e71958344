//! The settings of an FCM app.

use super::read::Settings;
use crate::field::Fault;

/// Google's host.
const BASE_URL: &str = "https://fcm.googleapis.com";

/// The settings of an FCM app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fcm {
    /// The Firebase project's id.
    pub project: String,
    /// Where the service account's key, a JSON file, is kept: `secretsmanager:…` or `file:…`. Never the key.
    pub key: String,
    /// `https://` and a host, without a slash at the end.
    pub base_url: String,
    /// Where access tokens are issued, if not where the key says.
    pub token_url: Option<String>,
}

const KNOWN: &[&str] = &["platform", "project", "key", "base_url", "token_url"];

impl Fcm {
    /// Reads the settings; every fault goes to `faults`.
    pub(super) fn read(settings: &Settings<'_>, faults: &mut Vec<Fault>) -> Option<Self> {
        faults.extend(settings.unknown(KNOWN));
        let project = settings.project("project").map_err(|fault| faults.push(fault)).ok();
        let key = settings.secret_reference("key").map_err(|fault| faults.push(fault)).ok();
        let base_url = settings.base_url("base_url").map_err(|fault| faults.push(fault)).ok();
        let token_url = settings.https_url("token_url").map_err(|fault| faults.push(fault)).ok();
        let base_url = base_url?.unwrap_or_else(|| BASE_URL.to_owned());
        Some(Self { project: project?, key: key?, base_url, token_url: token_url? })
    }
}

impl Settings<'_> {
    /// A project's id, which becomes a part of a path.
    fn project(&self, key: &str) -> Result<String, Fault> {
        let project = self.word(key)?;
        // Of a company's own domain, it is `example.com:project`.
        let plain = project.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':'));
        if plain && project.bytes().any(|b| b != b'.') {
            Ok(project)
        } else {
            Err(self.required(key)?.fault("must be the id of a Firebase project"))
        }
    }
}

//! The settings of an APNs app.

use super::read::Settings;
use crate::field::Fault;

/// The settings of an APNs app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apns {
    /// The app's bundle id.
    pub topic: String,
    /// Which of Apple's two services its tokens belong to.
    pub environment: Environment,
    /// The team that signs.
    pub team: String,
    /// The signing key's id.
    pub key_id: String,
    /// Where the signing key is kept: `secretsmanager:…` or `file:…`. Never the key.
    pub key: String,
    /// `https://` and a host, without a slash at the end.
    pub base_url: String,
}

/// Which of Apple's two services a token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// The App Store's and `TestFlight`'s.
    Production,
    /// Xcode's.
    Sandbox,
}

impl Environment {
    /// Apple's host.
    pub fn base_url(self) -> &'static str {
        match self {
            Self::Production => "https://api.push.apple.com",
            Self::Sandbox => "https://api.sandbox.push.apple.com",
        }
    }
}

const KNOWN: &[&str] = &["platform", "topic", "environment", "team", "key_id", "key", "base_url"];
const ENVIRONMENTS: &[(&str, Environment)] =
    &[("production", Environment::Production), ("sandbox", Environment::Sandbox)];

impl Apns {
    /// Reads the settings; every fault goes to `faults`.
    pub(super) fn read(settings: &Settings<'_>, faults: &mut Vec<Fault>) -> Option<Self> {
        faults.extend(settings.unknown(KNOWN));
        let mut keep = |read: Result<String, Fault>| read.map_err(|fault| faults.push(fault)).ok();
        let topic = keep(settings.word("topic"));
        let team = keep(settings.word("team"));
        let key_id = keep(settings.word("key_id"));
        let key = keep(settings.secret_reference("key"));
        let environment = settings.one_of("environment", ENVIRONMENTS).map_err(|fault| faults.push(fault)).ok();
        let base_url = settings.base_url("base_url").map_err(|fault| faults.push(fault)).ok();
        let environment = environment?;
        let base_url = base_url?.unwrap_or_else(|| environment.base_url().to_owned());
        Some(Self { topic: topic?, environment, team: team?, key_id: key_id?, key: key?, base_url })
    }
}

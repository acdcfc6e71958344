//! Reads `PUSHWAKE_APPS`: every fault of it at once, so that a deploy is corrected once.

use std::collections::BTreeMap;

use super::{Apns, App, Apps, Fcm, Platform, WebPush};
use crate::contract::AppId;
use crate::field::{Fault, Field, Object};

/// Everything that is wrong with the configured apps. Names fields, never values.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct AppsError(pub Vec<Fault>);

impl Apps {
    /// Reads the configured apps.
    pub fn parse(json: &str) -> Result<Self, AppsError> {
        let object = Field::root(json, "apps").map_err(|fault| AppsError(vec![fault]))?;
        let mut faults = Vec::from_iter(object.twice());
        let mut apps = BTreeMap::new();
        for (id, field) in object.fields() {
            if let Some(app) = App::read(id, &field, &mut faults) {
                apps.insert(app.id.clone(), app);
            }
        }
        if apps.is_empty() && faults.is_empty() {
            faults.push(Fault::new("apps", "must name at least one app"));
        }
        if faults.is_empty() { Ok(Self(apps)) } else { Err(AppsError(faults)) }
    }
}

type ReadPlatform = fn(&Settings<'_>, &mut Vec<Fault>) -> Option<Platform>;

const PLATFORMS: &[(&str, ReadPlatform)] = &[
    ("apns", |settings, faults| Apns::read(settings, faults).map(Platform::Apns)),
    ("fcm", |settings, faults| Fcm::read(settings, faults).map(Platform::Fcm)),
    ("webpush", |settings, faults| WebPush::read(settings, faults).map(Platform::WebPush)),
];

impl App {
    fn read(id: &str, field: &Field<'_>, faults: &mut Vec<Fault>) -> Option<Self> {
        // An id no device could name is a misspelt one.
        if !is_id(id) {
            faults.push(field.fault("must be an id of 1 to 256 characters without control characters"));
        }
        let settings = field.object().map(Settings).map_err(|fault| faults.push(fault)).ok()?;
        let platform = settings.one_of("platform", PLATFORMS).map_err(|fault| faults.push(fault)).ok()?;
        let platform = platform(&settings, faults)?;
        Some(Self { id: AppId::from(id), platform })
    }
}

fn is_id(id: &str) -> bool {
    (1..=crate::limits::ID_LENGTH).contains(&id.chars().count()) && !id.chars().any(char::is_control)
}

/// The settings of one app.
pub(super) struct Settings<'a>(Object<'a>);

impl<'a> Settings<'a> {
    /// A setting that has to be there.
    pub fn required(&self, key: &str) -> Result<Field<'a>, Fault> {
        self.0.required(key)
    }

    /// A setting that may be left out.
    pub fn optional(&self, key: &str) -> Option<Field<'a>> {
        self.0.optional(key)
    }

    /// A fault for every setting that is not in `known`, or given twice.
    pub fn unknown(&self, known: &[&str]) -> impl Iterator<Item = Fault> {
        self.0.twice().into_iter().chain(self.0.unknown(known))
    }

    /// A setting that ends up in a header, an address or a claim: printable ASCII without spaces.
    pub fn word(&self, key: &str) -> Result<String, Fault> {
        let field = self.0.required(key)?;
        let word = field.text()?;
        if word.bytes().all(|b| b.is_ascii_graphic()) {
            Ok(word)
        } else {
            Err(field.fault("must be printable ASCII without spaces"))
        }
    }

    /// Where a secret is kept. The secret itself in its place is refused, since this text is not secret.
    pub fn secret_reference(&self, key: &str) -> Result<String, Fault> {
        let field = self.0.required(key)?;
        let reference = field.text()?;
        let (kind, rest) = reference.split_once(':').unwrap_or_default();
        if matches!(kind, "secretsmanager" | "file") && !rest.is_empty() && !rest.contains('\n') {
            Ok(reference)
        } else {
            Err(field.fault("must be a reference, secretsmanager:<name or arn> or file:<path>, never the secret"))
        }
    }

    /// One of a few words.
    pub fn one_of<T: Copy>(&self, key: &str, known: &[(&'static str, T)]) -> Result<T, Fault> {
        let field = self.0.required(key)?;
        let (_, meaning) = field.one_of(known, |(name, _)| name)?;
        Ok(meaning)
    }

    /// `https://` and a host, with a port if it is not 443.
    pub fn base_url(&self, key: &str) -> Result<Option<String>, Fault> {
        let Some(field) = self.0.optional(key) else { return Ok(None) };
        let url = self.word(key)?;
        let host = url.strip_prefix("https://").map(|host| host.strip_suffix('/').unwrap_or(host));
        match host {
            Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@']) => {
                Ok(Some(format!("https://{host}")))
            }
            _ => Err(field.fault("must be https:// and a host, such as https://localhost:8443")),
        }
    }

    /// `https://`, a host and perhaps a path.
    pub fn https_url(&self, key: &str) -> Result<Option<String>, Fault> {
        let Some(field) = self.0.optional(key) else { return Ok(None) };
        let url = self.word(key)?;
        match url.strip_prefix("https://") {
            Some(rest) if !rest.starts_with('/') && !rest.is_empty() && !rest.contains(['?', '#', '@']) => {
                Ok(Some(url))
            }
            _ => Err(field.fault("must be https://, a host and a path, such as https://localhost:8443/token")),
        }
    }
}

//! The provider bodies, built here so that enqueue measures exactly what drain sends.

pub mod apns;
pub mod fcm;
mod patch;
pub mod webpush;

use serde_json::{Map, Value};

use crate::app::Platform;
use crate::contract::{Fault, Payload};
use crate::field::member;
use crate::limits::WEBPUSH_BODY_SAFE;

/// Why a body can't be sent. Enqueue answers it; a drain that meets it was overtaken by a newer enqueue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It would show nothing.
    #[error("an alert needs a title, a body, a sound or a badge")]
    Empty,
    /// It would show nothing on Android.
    #[error("an alert to an Android device needs a title or a body")]
    Untitled,
    /// The override made it something APNs can't read.
    #[error("`aps` must stay an object")]
    Aps,
    /// The override made it something FCM can't read, or would send it elsewhere.
    #[error("{0}")]
    Message(&'static str),
    /// A member of `data` that FCM does not take.
    #[error("{reason}")]
    Data {
        /// The member.
        key: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The final bytes are too many.
    #[error("is {size} bytes as sent to the provider; at most {limit}")]
    TooLarge {
        /// Bytes of the final body.
        size: usize,
        /// Bytes the provider takes.
        limit: usize,
    },
}

/// Builds the body as `platform` needs it and drops it again: what drain will build from the stored payload fits. A
/// warning is of a body that fits, and that some of the platform's services may not take.
pub fn check(platform: &Platform, payload: &Payload) -> Result<Option<Fault>, Fault> {
    let built = match platform {
        Platform::Apns(_) => apns::build(payload).map(|_| None),
        Platform::Fcm(_) => fcm::build(payload).map(|_| None),
        Platform::WebPush(_) => webpush::build(payload).map(|built| warning(built.body.len())),
    };
    built.map_err(|error| Fault::new(field(&error), error.to_string()))
}

/// The field at fault.
fn field(error: &BodyError) -> String {
    match error {
        BodyError::Empty | BodyError::Untitled | BodyError::TooLarge { .. } => "notification".into(),
        BodyError::Aps => "notification.raw.apns".into(),
        BodyError::Message(_) => "notification.raw.fcm".into(),
        BodyError::Data { key, .. } => member("notification.data", key),
    }
}

/// Writes a member that is there.
fn set(map: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        map.insert(key.into(), value.into());
    }
}

fn warning(size: usize) -> Option<Fault> {
    let reason = format!("is {size} bytes as Web Push; not every push service takes more than {WEBPUSH_BODY_SAFE}");
    (size > WEBPUSH_BODY_SAFE).then(|| Fault::new("notification", reason))
}

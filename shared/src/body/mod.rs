//! The provider bodies, built here so that enqueue measures exactly what drain sends.

pub mod apns;
mod patch;
pub mod webpush;

use crate::app::Platform;
use crate::contract::{Fault, Payload};
use crate::limits::WEBPUSH_BODY_SAFE;

/// Why a body can't be sent. Enqueue answers it; a drain that meets it was overtaken by a newer enqueue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It would show nothing.
    #[error("an alert needs a title, a body, a sound or a badge")]
    Empty,
    /// The override made it something the provider can't read.
    #[error("`aps` must stay an object")]
    Aps,
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
        Platform::WebPush(_) => webpush::build(payload).map(|built| warning(built.body.len())),
    };
    built.map_err(|error| match error {
        BodyError::Empty | BodyError::TooLarge { .. } => Fault::new("notification", error.to_string()),
        BodyError::Aps => Fault::new("notification.raw.apns", error.to_string()),
    })
}

fn warning(size: usize) -> Option<Fault> {
    let reason = format!("is {size} bytes as Web Push; not every push service takes more than {WEBPUSH_BODY_SAFE}");
    (size > WEBPUSH_BODY_SAFE).then(|| Fault::new("notification", reason))
}

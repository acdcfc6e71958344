//! The provider bodies, built here so that enqueue measures exactly what drain sends.

pub mod apns;
mod patch;

use crate::app::Platform;
use crate::contract::{Fault, Payload};

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

/// Builds the body as `platform` needs it and drops it again: what drain will build from the stored payload fits.
pub fn check(platform: &Platform, payload: &Payload) -> Result<(), Fault> {
    let built = match platform {
        Platform::Apns(_) => apns::build(payload).map(drop),
    };
    built.map_err(|error| match error {
        BodyError::Empty | BodyError::TooLarge { .. } => Fault::new("notification", error.to_string()),
        BodyError::Aps => Fault::new("notification.raw.apns", error.to_string()),
    })
}

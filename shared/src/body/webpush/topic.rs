//! Topics: a push replaces an undelivered one of the same subscription and topic.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::limits::WEBPUSH_TOPIC;

/// The topic of a collapse id, always its hash: a header is not encrypted, and the push service has no need to read
/// what the product calls things.
pub(super) fn of(collapse_id: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(collapse_id)[..WEBPUSH_TOPIC / 4 * 3])
}

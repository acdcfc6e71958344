//! Collapse ids as a header takes them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::limits::APNS_COLLAPSE_ID;

/// The id itself where a header can carry it, else its hash: the same id always collapses with itself, and a
/// multibyte one is never cut inside a character. A header's value can't begin or end with a space.
pub(super) fn fit(id: &str) -> String {
    let printable = id.bytes().all(|b| (b' '..=b'~').contains(&b)) && id.trim() == id;
    if printable && id.len() <= APNS_COLLAPSE_ID { id.to_owned() } else { URL_SAFE_NO_PAD.encode(Sha256::digest(id)) }
}

//! What a message calls a token by.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The hash by which feedback names a token: of an APNs token in lower case, of an FCM token as it is, of a
/// subscription its endpoint, written as the browser gave it.
pub fn token_hash(token: &str) -> String {
    Sha256::digest(token).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(all(test, feature = "reader"))]
mod tests {
    use super::*;
    use crate::contract::Target;

    #[test]
    fn a_product_and_the_queue_call_a_token_by_the_same_hash() {
        let hash = token_hash("cX:APA91b");
        let bytes = (0..hash.len()).step_by(2).map(|at| u8::from_str_radix(&hash[at..at + 2], 16).expect("hex"));
        assert_eq!(bytes.collect::<Vec<_>>(), Target::Fcm { token: "cX:APA91b".into() }.hash());
    }
}

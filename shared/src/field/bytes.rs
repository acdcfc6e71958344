//! Bytes as text, and the points of elliptic curves among them.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{Fault, Field};

/// Browsers write no padding, libraries of other languages do.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
/// Bytes of a point of P-256 that is written out: a 4, x and y.
const POINT: usize = 65;

impl Field<'_> {
    /// Bytes in base64url, with or without padding.
    pub fn bytes(&self) -> Result<Vec<u8>, Fault> {
        BASE64URL.decode(self.text()?).map_err(|_| self.fault("must be base64url"))
    }

    /// A point of the curve P-256, uncompressed.
    pub fn point(&self) -> Result<Vec<u8>, Fault> {
        let bytes = self.bytes()?;
        if bytes.len() != POINT || bytes[0] != 4 {
            return Err(self.fault(format!("must be an uncompressed point: {POINT} bytes in base64url, the first a 4")));
        }
        match p256::PublicKey::from_sec1_bytes(&bytes) {
            Ok(_) => Ok(bytes),
            Err(_) => Err(self.fault("is no point of the curve P-256")),
        }
    }
}

//! A browser's subscription, checked as strictly as a push service and its browser will.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::app::WebPush;
use crate::contract::{Fault, Target};
use crate::field::Field;

/// `expirationTime` is what browsers say beside the two that count; it is passed over.
const KNOWN: &[&str] = &["endpoint", "keys", "expirationTime"];
const KEYS: &[&str] = &["p256dh", "auth"];
/// Bytes of an authentication secret (RFC 8291).
const AUTH: usize = 16;

/// Reads `subscription`. What is stored is written in one way, however it was written here.
pub(super) fn read(field: &Field<'_>, app: &WebPush) -> Result<Target, Fault> {
    let object = field.object_of(KNOWN)?;
    let endpoint = object.required("endpoint")?;
    let url = endpoint.text()?;
    let url = app.endpoint(&url).map_err(|error| endpoint.fault(error.to_string()))?.url();
    let keys = object.required("keys")?.object_of(KEYS)?;
    let p256dh = keys.required("p256dh")?.point()?;
    let field = keys.required("auth")?;
    let auth = field.bytes()?;
    if auth.len() != AUTH {
        return Err(field.fault(format!("must be {AUTH} bytes in base64url")));
    }
    Ok(Target::WebPush { endpoint: url, p256dh: URL_SAFE_NO_PAD.encode(p256dh), auth: URL_SAFE_NO_PAD.encode(auth) })
}

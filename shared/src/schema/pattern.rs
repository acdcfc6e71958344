//! Regular expressions that every dialect reads alike: explicit ranges, anchored, no classes by name.

/// No NUL, which Postgres can't store.
pub const NO_NUL: &str = r"^[^\u0000]*$";
/// No control character.
pub const NO_CONTROL: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";
/// What every provider's token is made of.
pub const VISIBLE_ASCII: &str = "^[!-~]*$";
/// An https address without white space.
pub const HTTPS: &str = r"^https://[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$";
/// An https address of a host, in the characters of a URI without a fragment, without a user.
pub const ENDPOINT: &str = r"^https://[-._~:!$&'()*+,;=%A-Za-z0-9\[\]]+([/?][-._~:/?@!$&'()*+,;=%A-Za-z0-9\[\]]*)?$";
/// 65 bytes in base64url, the first a 4.
pub const P256DH: &str = "^B[A-P][-_A-Za-z0-9]{84}[AEIMQUYcgkosw048]=?$";
/// 16 bytes in base64url.
pub const AUTH: &str = "^[-_A-Za-z0-9]{21}[AQgw]={0,2}$";

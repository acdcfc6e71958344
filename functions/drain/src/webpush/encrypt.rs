//! Encryption for one browser: aes128gcm (RFC 8188) under keys agreed as RFC 8291 says.
//!
//! Written here because salt and sender's key have to be given for the RFC's own example; the parts are ring's and
//! p256's. Both are fresh for every message, and come from the system: a process that was suspended and resumed
//! elsewhere must not draw the same ones again.

use p256::elliptic_curve::Generate;
use p256::elliptic_curve::point::AffineCoordinates;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// The size of a record, of which there is one: what a push service has to take.
const RECORD: u32 = 4096;
const SALT: usize = 16;
/// Bytes of an AES-128 key.
const KEY: usize = 16;
/// Ends the last record (RFC 8188).
const LAST: u8 = 2;

/// The keys of a subscription.
pub(super) struct Browser {
    public: PublicKey,
    auth: Vec<u8>,
}

/// The system gave no random bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoRandom;

impl Browser {
    /// Keys that were checked at enqueue; none if they can't be.
    pub(super) fn new(p256dh: &[u8], auth: Vec<u8>) -> Option<Self> {
        Some(Self { public: PublicKey::from_sec1_bytes(p256dh).ok()?, auth })
    }

    /// The body that only this browser can read.
    pub(super) fn encrypt(&self, plaintext: &[u8]) -> Result<Vec<u8>, NoRandom> {
        let mut salt = [0; SALT];
        SystemRandom::new().fill(&mut salt).map_err(|_| NoRandom)?;
        let sender = SecretKey::try_generate().map_err(|_| NoRandom)?;
        Ok(self.encrypt_with(plaintext, &sender, salt))
    }

    fn encrypt_with(&self, plaintext: &[u8], sender: &SecretKey, salt: [u8; SALT]) -> Vec<u8> {
        let [browser, ours] = [&self.public, &sender.public_key()].map(PublicKey::to_sec1_bytes);
        let shared = (self.public.to_projective() * *sender.to_nonzero_scalar()).to_affine().x();
        let ikm: [u8; 32] = derive(&self.auth, &shared, &[b"WebPush: info\0", &browser, &ours]);
        let key: [u8; KEY] = derive(&salt, &ikm, &[b"Content-Encoding: aes128gcm\0"]);
        let nonce: [u8; NONCE_LEN] = derive(&salt, &ikm, &[b"Content-Encoding: nonce\0"]);

        let mut record = [plaintext, &[LAST]].concat();
        let key =
            LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key of the length that was asked for"));
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)
            .expect("a record far below what AES-GCM can take");
        [&salt[..], &RECORD.to_be_bytes(), &[ours.len() as u8], &ours, &record].concat()
    }
}

/// HKDF with SHA-256 (RFC 5869), extract and expand.
fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut derived = [0; N];
    let key = Salt::new(HKDF_SHA256, salt).extract(secret);
    key.expand(info, Length(N)).and_then(|bytes| bytes.fill(&mut derived)).expect("a length far below HKDF's limit");
    derived
}

#[cfg(test)]
mod tests;

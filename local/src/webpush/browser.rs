//! A browser: the keys of one subscription, and what they decrypt.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::elliptic_curve::Generate;
use p256::elliptic_curve::point::AffineCoordinates;
use p256::{PublicKey, SecretKey};
use pushwake::contract::SubscriptionKeys;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hmac::{HMAC_SHA256, Key, sign};

/// A header that names an uncompressed point: salt, record size, length of the key id, the point.
const HEADER: usize = 16 + 4 + 1 + 65;

/// One subscription.
#[derive(Clone)]
pub(super) struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
    /// The public key of whom it lets push.
    pub(super) application_server_key: String,
    /// It has not unsubscribed.
    pub(super) subscribed: bool,
}

impl Browser {
    /// Subscribes with fresh keys.
    pub(super) fn subscribe(application_server_key: &str) -> Self {
        Self {
            secret: SecretKey::generate(),
            auth: rand::random(),
            application_server_key: application_server_key.to_owned(),
            subscribed: true,
        }
    }

    /// What its page sends to the product.
    pub(super) fn keys(&self) -> SubscriptionKeys {
        let p256dh = URL_SAFE_NO_PAD.encode(self.secret.public_key().to_sec1_bytes());
        SubscriptionKeys { p256dh, auth: URL_SAFE_NO_PAD.encode(self.auth) }
    }

    /// Reads a body of one record (RFC 8188, 8291); none if it is not for these keys.
    pub(super) fn decrypt(&self, body: &[u8]) -> Option<Vec<u8>> {
        let (header, record) = body.split_at_checked(HEADER)?;
        let (salt, rest) = header.split_at(16);
        let (size, rest) = rest.split_at(4);
        let (id_length, sender) = rest.split_at(1);
        let size = u32::from_be_bytes(size.try_into().ok()?);
        if id_length != [65] || record.len() > size as usize {
            return None;
        }
        let ours = self.secret.public_key().to_sec1_bytes();
        let point = PublicKey::from_sec1_bytes(sender).ok()?;
        let shared = (point.to_projective() * *self.secret.to_nonzero_scalar()).to_affine().x();

        let info = [b"WebPush: info\0", &*ours, sender].concat();
        let secret = expand(&hmac(&self.auth, &shared), &info);
        let extracted = hmac(salt, &secret);
        let key = expand(&extracted, b"Content-Encoding: aes128gcm\0");
        let nonce = expand(&extracted, b"Content-Encoding: nonce\0");

        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).ok()?);
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).ok()?;
        let mut record = record.to_vec();
        let padded = key.open_in_place(nonce, Aad::empty(), &mut record).ok()?;
        // Behind the text come a 2, since this is the last record, and zeros.
        let end = padded.iter().rposition(|byte| *byte != 0)?;
        (padded[end] == 2).then(|| padded[..end].to_vec())
    }
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    sign(&Key::new(HMAC_SHA256, key), text).as_ref().try_into().expect("SHA-256 has 32 bytes")
}

/// The first block of HKDF's expansion, which is as much as anything here needs.
fn expand(key: &[u8], info: &[u8]) -> [u8; 32] {
    hmac(key, &[info, &[1]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect(text)
    }

    /// The user agent of RFC 8291, section 5.
    fn browser() -> Browser {
        Browser {
            secret: SecretKey::from_slice(&bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")).expect("a key"),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg").try_into().expect("16 bytes"),
            application_server_key: String::new(),
            subscribed: true,
        }
    }

    const BODY: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wE\
         qKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    #[test]
    fn the_example_of_rfc_8291_is_read() {
        let text = browser().decrypt(&bytes(BODY)).expect("the text");
        assert_eq!(text, b"When I grow up, I want to be a watermelon");
    }

    #[test]
    fn what_is_not_for_it_or_was_changed_on_the_way_is_not_read() {
        assert!(Browser::subscribe("").decrypt(&bytes(BODY)).is_none());
        for n in 0..bytes(BODY).len() {
            let mut changed = bytes(BODY);
            changed[n] ^= 1;
            // A record may be smaller than its header allows.
            let harmless = (16..20).contains(&n);
            assert_eq!(browser().decrypt(&changed).is_none(), !harmless, "byte {n}");
            assert!(browser().decrypt(&bytes(BODY)[..n]).is_none(), "cut at {n}");
        }
    }
}

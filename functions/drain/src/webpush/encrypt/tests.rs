use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).expect(text)
}

/// The subscription of RFC 8291, section 5.
fn browser() -> Browser {
    let public = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    Browser::new(&bytes(public), bytes("BTBZMqHH6r4Tts7J_aSIgg")).expect("keys")
}

#[test]
fn the_example_of_rfc_8291_comes_out_byte_for_byte() {
    let sender = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).expect("a key");
    let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
    let body = browser().encrypt_with(b"When I grow up, I want to be a watermelon", &sender, salt);
    let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w\
        EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    assert_eq!(URL_SAFE_NO_PAD.encode(body), expected);
}

#[test]
fn the_largest_plaintext_makes_a_body_of_4096_bytes() {
    let body = browser().encrypt(&vec![b'x'; pushwake::limits::WEBPUSH_BODY]).expect("random bytes");
    assert_eq!(body.len(), 4096);
}

#[test]
fn no_two_messages_share_a_salt_or_a_key() {
    let [one, other] = [(); 2].map(|()| browser().encrypt(b"x").expect("random bytes"));
    assert_ne!(one[..16], other[..16]);
    assert_ne!(one[21..86], other[21..86]);
}

#[test]
fn keys_off_the_curve_are_none() {
    for public in [&[][..], &[4; 65], &[0; 65]] {
        assert!(Browser::new(public, vec![0; 16]).is_none());
    }
}

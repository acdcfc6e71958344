//! What we encrypt, read by an implementation that shares no code with ours.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pushwake::contract::Target;
use serde_json::{Value, json};
use web_push_native::p256::SecretKey;
use web_push_native::{Auth, decrypt};

use super::rig::{Rig, send_content};

#[tokio::test]
async fn another_implementation_reads_what_we_encrypt() {
    let rig = Rig::start().await;
    for n in 1..=20 {
        let bytes: [u8; 32] = rand::random();
        let (secret, auth) = (SecretKey::from_slice(&bytes).expect("nearly every number is a key"), [n as u8; 16]);
        let browser = Target::WebPush {
            // The service does not know it, and has its body all the same.
            endpoint: format!("{}/push/other-{n}", rig.server.base_url()),
            p256dh: URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes()),
            auth: URL_SAFE_NO_PAD.encode(auth),
        };
        let text = "é🚀\"x".repeat(n * 20);
        send_content(&rig.client, &browser, 1, &json!({"body": text})).await;
        let body = rig.server.requests().pop().expect("a push").body;
        let read = decrypt(body.to_vec(), &secret, &Auth::from(auth)).expect("the other implementation reads it");
        let read: Value = serde_json::from_slice(&read).expect("JSON");
        assert_eq!(read, json!({"kind": "alert", "event": "event-1", "body": text}));
    }
}

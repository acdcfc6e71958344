//! What the flows need to know of a platform. Another one is one more variant.

use local::provider::Reply;
use local::stack::{ANDROID, APP, Stack, WEB};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug)]
pub enum Platform {
    Apns,
    Fcm,
    WebPush,
}

impl Platform {
    /// The app that sends to its simulated provider.
    pub fn app(self) -> &'static str {
        match self {
            Self::Apns => APP,
            Self::Fcm => ANDROID,
            Self::WebPush => WEB,
        }
    }

    /// The token, or what its script calls it, of the n-th device.
    pub fn token(self, n: usize) -> String {
        match self {
            Self::Apns => format!("decafbad{n:056x}"),
            Self::Fcm | Self::WebPush => format!("CANARY-token-{n}"),
        }
    }

    /// The n-th device, and the secrets it brings.
    pub fn device(self, stack: &Stack, n: usize) -> (Value, Vec<String>) {
        let (id, app, token) = (format!("{self:?}-{n}"), self.app(), self.token(n));
        match self {
            Self::Apns | Self::Fcm => (json!({"id": id, "app": app, "token": token}), vec![token]),
            Self::WebPush => {
                let subscription = stack.webpush.subscribe(&token);
                let keys = &subscription.keys;
                let secrets = vec![subscription.endpoint.clone(), keys.p256dh.clone(), keys.auth.clone(), token];
                (json!({"id": id, "app": app, "subscription": subscription}), secrets)
            }
        }
    }

    /// The key its app signs with.
    pub fn key(self, stack: &Stack) -> String {
        match self {
            Self::Apns => stack.apns.key_pem().to_owned(),
            Self::Fcm => serde_json::from_str::<Value>(&stack.fcm.key_json()).expect("JSON")["private_key"]
                .as_str()
                .expect("a key")
                .to_owned(),
            Self::WebPush => stack.webpush.key().to_owned(),
        }
    }

    pub fn script(self, stack: &Stack, n: usize, replies: Vec<Reply>) {
        let token = self.token(n);
        match self {
            Self::Apns => stack.apns.script(&token, replies),
            Self::Fcm => stack.fcm.script(&token, replies),
            Self::WebPush => stack.webpush.script(&token, replies),
        }
    }

    /// Waits until as many requests as these have arrived.
    pub async fn until_asked(self, stack: &Stack, requests: u64) {
        match self {
            Self::Apns => stack.apns.wait_until(|tally| tally.requests >= requests).await,
            Self::Fcm => stack.fcm.wait_until(|tally| tally.requests >= requests).await,
            Self::WebPush => stack.webpush.wait_until(|tally| tally.requests >= requests).await,
        };
    }
}

//! What the functions' log lines say of single apps: that they were paused, and what expired.

use std::collections::BTreeMap;

use serde::Deserialize;

/// By app.
#[derive(Debug, Default)]
pub(super) struct Apps(BTreeMap<String, Told>);

/// What was said of one app.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    /// How often it was paused, or its pause prolonged.
    pub(super) paused: u64,
    /// Notifications that expired before they were sent.
    pub(super) expired: u64,
}

impl Apps {
    /// Takes a line; the answer is whether it speaks of one of these.
    pub(super) fn take(&mut self, text: &str) -> bool {
        #[derive(Deserialize)]
        struct Line {
            app: String,
        }
        let paused = text.contains(r#""alarm":"app_paused""#);
        let expired = text.contains(r#""outcome":"expired""#);
        if !(paused || expired) {
            return false;
        }
        let Ok(Line { app }) = serde_json::from_str(text) else { return false };
        let told = self.0.entry(app).or_default();
        told.paused += u64::from(paused);
        told.expired += u64::from(expired);
        true
    }

    pub(super) fn of(&self, app: &str) -> Told {
        self.0.get(app).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_and_expiries_are_counted_by_app() {
        let mut apps = Apps::default();
        let pause = r#"{"level":"ERROR","alarm":"app_paused","app":"ios","reason":"ServiceUnavailable","for_s":2}"#;
        let expired = r#"{"level":"INFO","app":"web","outcome":"expired","message":"attempt"}"#;
        let delivered = r#"{"level":"INFO","app":"web","outcome":"delivered","message":"attempt"}"#;
        let taken = [pause, pause, expired, delivered].map(|text| apps.take(text));
        assert_eq!(taken, [true, true, true, false]);
        assert_eq!(apps.of("ios"), Told { paused: 2, expired: 0 });
        assert_eq!(apps.of("web"), Told { paused: 0, expired: 1 });
        assert_eq!(apps.of("android"), Told::default());
    }
}

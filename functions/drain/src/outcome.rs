//! What a provider answered, as a value.

use std::borrow::Cow;
use std::time::Duration;

use time::OffsetDateTime;

/// A short name from a closed set, or one that [`reason`] has cleaned: never a token, a text or a body.
pub type Reason = Cow<'static, str>;

/// What became of one send. Nothing here is an error: every answer, and every missing one, is an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The provider accepted it.
    Delivered,
    /// The token is dead, since `dead_at` where the provider says so.
    Unregistered {
        /// The provider's reason.
        reason: Reason,
        /// The provider's own time of the verdict.
        dead_at: Option<OffsetDateTime>,
    },
    /// This notification can never be accepted; the token stays.
    Rejected {
        /// The provider's reason.
        reason: Reason,
        /// False for a reason that no table lists, or that leaves it open whose fault it is: a burst of those is a
        /// fault of ours, not of the notifications.
        listed: bool,
    },
    /// Too much, too fast.
    Throttled {
        /// The provider's reason.
        reason: Reason,
        /// The delay the provider asked for.
        retry_after: Option<Duration>,
        /// The provider throttles the whole app, not this device.
        whole_provider: bool,
    },
    /// The provider failed, or surely never saw the request.
    Unavailable {
        /// The provider's reason, or what stood in the way.
        reason: Reason,
        /// The delay the provider asked for.
        retry_after: Option<Duration>,
    },
    /// The request was written and no answer came: it may have been accepted.
    Ambiguous {
        /// How the answer got lost.
        reason: Reason,
    },
    /// Our configuration is refused: key, topic, environment. No fault of the notification or the token.
    Misconfigured {
        /// The provider's reason.
        reason: Reason,
    },
}

impl Outcome {
    /// The outcome's name in logs and metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Unregistered { .. } => "unregistered",
            Self::Rejected { .. } => "rejected",
            Self::Throttled { .. } => "throttled",
            Self::Unavailable { .. } => "unavailable",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Misconfigured { .. } => "misconfigured",
        }
    }

    /// The reason, except of a delivery.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Delivered => None,
            Self::Unregistered { reason, .. }
            | Self::Rejected { reason, .. }
            | Self::Throttled { reason, .. }
            | Self::Unavailable { reason, .. }
            | Self::Ambiguous { reason }
            | Self::Misconfigured { reason } => Some(reason),
        }
    }
}

/// One send, over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// What became of it.
    pub outcome: Outcome,
    /// The provider's id of the request, for its support.
    pub request_id: Option<String>,
    /// From the call to the answer, connecting and resending included.
    pub took: Duration,
}

/// A provider's reason as it may be logged: letters only and short, since an answer is no place we control.
pub fn reason(text: &str) -> Option<Reason> {
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    fits.then(|| Cow::Owned(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_letters_or_nothing() {
        assert_eq!(reason("BadDeviceToken").as_deref(), Some("BadDeviceToken"));
        assert_eq!(reason("SENDER_ID_MISMATCH").as_deref(), Some("SENDER_ID_MISMATCH"));
        for odd in ["", "a b", "aé", "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0", "{\"aps\":{}}"]
        {
            assert_eq!(reason(odd), None);
        }
        assert_eq!(reason(&"a".repeat(65)), None);
    }
}

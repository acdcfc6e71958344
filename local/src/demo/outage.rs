//! `--fail`: a provider that fails for a while, e.g. `apns=503@2s..6s`.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use tokio::time::sleep_until;

use super::options::time;
use super::provider::Provider;
use crate::provider::Reply;
use crate::stack::Stack;

/// The longest a demo is kept waiting.
const LATEST: Duration = Duration::from_mins(10);
/// An answer that left a provider shortly before its connection was closed may not have been read, and one of a
/// connection that closes is still on its way.
const UNREAD: Duration = Duration::from_secs(1);

/// A provider fails, from one moment of the run to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    pub(super) provider: Provider,
    pub(super) answer: Answer,
    pub(super) from: Duration,
    pub(super) to: Duration,
}

/// What a failing provider answers to everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Status(u16),
    /// Nothing, ever.
    Hang,
    /// The connection is closed.
    Close,
    /// The stream is refused.
    Refuse,
}

impl Outage {
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.provider == other.provider && self.from < other.to && other.from < self.to
    }

    /// Whether it is on, that long after the start of the run.
    pub(super) fn is_on(&self, elapsed: Duration) -> bool {
        (self.from..self.to).contains(&elapsed)
    }

    /// Its drains can't tell whether a notification was delivered: they send it again, and discard it after a few
    /// such sends.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self.answer, Answer::Hang | Answer::Close)
    }

    /// Its answers may be taken for verdicts on single notifications, which are then discarded. A push service that
    /// has accepted a key and refuses it later says something about the subscription.
    pub(super) fn is_verdict(&self) -> bool {
        self.provider == Provider::WebPush && matches!(self.answer, Answer::Status(401 | 403))
    }

    /// Whether an answer of that moment may have been lost with its connection; `start` is that of the run.
    pub(super) fn loses_answer(&self, start: Instant, at: Instant) -> bool {
        self.answer == Answer::Close && at + UNREAD >= start + self.from && at <= start + self.to + UNREAD
    }

    fn reply(&self) -> Reply {
        let status = match self.answer {
            Answer::Hang => return Reply::hang(),
            Answer::Close => return Reply::close(),
            Answer::Refuse => return Reply::refuse(),
            Answer::Status(status) => status,
        };
        let reason = match (self.provider, status) {
            (Provider::Fcm, 401 | 403) => return Reply::without_detail(status),
            (Provider::Fcm, 429) => "QUOTA_EXCEEDED",
            (Provider::Fcm, 500) => "INTERNAL",
            (Provider::Fcm, _) => "UNAVAILABLE",
            (Provider::WebPush, 401 | 403) => "BadJwtToken",
            (Provider::Apns, 401 | 403) => "InvalidProviderToken",
            (Provider::Apns | Provider::WebPush, 429) => "TooManyRequests",
            (Provider::Apns | Provider::WebPush, 500) => "InternalServerError",
            (Provider::Apns | Provider::WebPush, _) => "ServiceUnavailable",
        };
        Reply::status(status, reason)
    }
}

/// Lets the providers fail and recover at their times.
pub(super) async fn play(stack: &Stack, outages: &[Outage], start: Instant) {
    let mut turns: Vec<(Duration, Provider, Option<Reply>)> = Vec::new();
    for outage in outages {
        // Recovery comes first, so that an outage may follow another at once.
        turns.insert(0, (outage.to, outage.provider, None));
        turns.push((outage.from, outage.provider, Some(outage.reply())));
    }
    turns.sort_by_key(|(at, ..)| *at);
    for (at, provider, reply) in turns {
        sleep_until((start + at).into()).await;
        provider.answer_all(stack, reply.unwrap_or_else(Reply::delivered));
    }
}

impl FromStr for Outage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXAMPLE: &str = "as in apns=503@2s..6s";
        let (provider, rest) = text.split_once('=').ok_or(format!("expected PROVIDER=WHAT@FROM..TO, {EXAMPLE}"))?;
        let (answer, times) = rest.split_once('@').ok_or(format!("expected @FROM..TO at the end, {EXAMPLE}"))?;
        let (from, to) = times.split_once("..").ok_or(format!("expected two times, FROM..TO, {EXAMPLE}"))?;
        let provider = Provider::from_str(provider, false)
            .map_err(|_| format!("no provider '{provider}': expected apns, fcm or webpush, {EXAMPLE}"))?;
        let moment = |text| time(text).map_err(|expected| format!("no time '{text}': {expected}"));
        let outage = Self { provider, answer: answer.parse()?, from: moment(from)?, to: moment(to)? };
        if outage.from >= outage.to {
            return Err(format!("it has to start before it ends, {EXAMPLE}"));
        }
        if outage.to > LATEST {
            return Err(format!("it has to end within {} s, {EXAMPLE}", LATEST.as_secs()));
        }
        Ok(outage)
    }
}

impl FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("hang", _) => Ok(Self::Hang),
            ("close", _) => Ok(Self::Close),
            ("refuse", _) => Ok(Self::Refuse),
            (_, Ok(status @ (401 | 403 | 429 | 500..=599))) => Ok(Self::Status(status)),
            (_, Ok(status @ 100..=599)) => Err(format!(
                "{status} is not how a provider fails as a whole: expected 401, 403, 429 or 500 to 599, such as 503"
            )),
            _ => Err(format!("no answer '{text}': expected a status such as 503, or hang, close or refuse")),
        }
    }
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}@{:?}..{:?}", self.provider.name(), self.answer, self.from, self.to)
    }
}

impl Answer {
    /// What the provider does meanwhile.
    pub(super) fn doing(self) -> String {
        match self {
            Self::Status(status) => format!("answers {status}"),
            Self::Hang => "answers nothing".to_owned(),
            Self::Close => "closes connections".to_owned(),
            Self::Refuse => "refuses streams".to_owned(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => status.fmt(f),
            Self::Hang => f.write_str("hang"),
            Self::Close => f.write_str("close"),
            Self::Refuse => f.write_str("refuse"),
        }
    }
}

#[cfg(test)]
mod tests;

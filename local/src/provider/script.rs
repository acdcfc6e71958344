//! What is answered: a script per device, else a reply for all of a kind, else the default.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use h2::Reason;

use super::Gate;

/// One scripted answer.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) act: Act,
    /// Instead of the server's latency.
    pub(super) after: Option<Duration>,
    pub(super) gate: Option<Gate>,
}

#[derive(Clone, Debug)]
pub(super) enum Act {
    Answer { status: Option<u16>, reason: Option<String>, retry_after: Option<String>, body: Option<Bytes> },
    Hang,
    Close,
    Reset(Reason),
}

impl Reply {
    /// A delivery, as the provider answers it.
    pub fn delivered() -> Self {
        Self::answer(None, None, None)
    }

    /// A status with the provider's body for a reason.
    pub fn status(status: u16, reason: &str) -> Self {
        Self::answer(Some(status), Some(reason.to_owned()), None)
    }

    /// A status with any body.
    pub fn raw(status: u16, body: impl Into<Bytes>) -> Self {
        Self::answer(Some(status), None, Some(body.into()))
    }

    /// Has the ledger call an answer's reason this.
    #[must_use]
    pub fn because(mut self, name: &str) -> Self {
        if let Act::Answer { reason, .. } = &mut self.act {
            *reason = Some(name.to_owned());
        }
        self
    }

    /// No answer, ever; the stream stays open.
    pub fn hang() -> Self {
        Self::act(Act::Hang)
    }

    /// The connection is closed without an answer, after the body was read.
    pub fn close() -> Self {
        Self::act(Act::Close)
    }

    /// The stream is reset with this HTTP/2 error code instead of an answer.
    pub fn reset(code: impl Into<Reason>) -> Self {
        Self::act(Act::Reset(code.into()))
    }

    /// The stream is refused, which says that it was not processed.
    pub fn refuse() -> Self {
        Self::reset(Reason::REFUSED_STREAM)
    }

    /// Adds a Retry-After, of any form, to an answer.
    #[must_use]
    pub fn retry_after(mut self, value: &str) -> Self {
        if let Act::Answer { retry_after, .. } = &mut self.act {
            *retry_after = Some(value.to_owned());
        }
        self
    }

    /// Takes this long instead of the server's latency.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.after = Some(delay);
        self
    }

    /// Waits for a gate first.
    #[must_use]
    pub fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    fn answer(status: Option<u16>, reason: Option<String>, body: Option<Bytes>) -> Self {
        Self::act(Act::Answer { status, reason, retry_after: None, body })
    }

    fn act(act: Act) -> Self {
        Self { act, after: None, gate: None }
    }
}

/// All scripts.
#[derive(Debug)]
pub(super) struct Scripts {
    by_device: HashMap<String, VecDeque<Reply>>,
    by_prefix: Vec<(String, Reply)>,
    /// What everyone without a script gets.
    pub(super) default: Reply,
}

impl Default for Scripts {
    fn default() -> Self {
        Self { by_device: HashMap::new(), by_prefix: Vec::new(), default: Reply::delivered() }
    }
}

impl Scripts {
    pub(super) fn append(&mut self, device: &str, replies: impl IntoIterator<Item = Reply>) {
        self.by_device.entry(device.to_owned()).or_default().extend(replies);
    }

    pub(super) fn answer_prefix(&mut self, prefix: &str, reply: Reply) {
        self.by_prefix.push((prefix.to_owned(), reply));
    }

    pub(super) fn next(&mut self, device: &str) -> Reply {
        let scripted = self.by_device.get_mut(device).and_then(VecDeque::pop_front);
        let of_its_kind = || self.by_prefix.iter().find(|(prefix, _)| device.starts_with(prefix));
        scripted.unwrap_or_else(|| of_its_kind().map_or(&self.default, |(_, reply)| reply).clone())
    }
}

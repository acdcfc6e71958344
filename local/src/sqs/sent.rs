//! The record of what was sent, for tests and reports.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use tokio::time::Instant;

/// One message of a `SendMessage` or `SendMessageBatch`.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Name of the queue.
    pub queue: String,
    /// Id in the answer, and in the event of the function that gets the message.
    pub message_id: String,
    /// The body.
    pub body: String,
    /// The delay that applies: the message's own, or else the queue's.
    pub delay: Duration,
    /// When, on the endpoint's clock.
    pub at: Instant,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a message that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stands in its queue.
    Stored,
    /// Answered as if it did, by [`Fault::Discard`].
    Discarded,
    /// Answered 500, by [`Fault::Fail`].
    Failed,
    /// Answered with an error of its own, by [`Fault::FailSecond`].
    FailedAlone,
    /// Never answered, by [`Fault::Hang`].
    Hung,
}

/// What goes wrong with every message that is sent, while it is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// SQS answers 500.
    Fail,
    /// SQS fails every second message of a queue, and the others of its batch succeed.
    FailSecond,
    /// SQS never answers.
    Hang,
    /// SQS answers that it has the message, and loses it.
    Discard,
}

impl Fault {
    /// The fate of a message, of which `before` were sent to its queue.
    pub(super) fn fate(fault: Option<Self>, before: usize) -> Fate {
        match fault {
            Some(Self::FailSecond) if before % 2 == 1 => Fate::FailedAlone,
            None | Some(Self::FailSecond) => Fate::Stored,
            Some(Self::Fail) => Fate::Failed,
            Some(Self::Hang) => Fate::Hung,
            Some(Self::Discard) => Fate::Discarded,
        }
    }
}

/// Runs when a message was sent, before it is stored and answered.
pub(super) type OnSend = Arc<dyn Fn(Sent) -> BoxFuture<'static, ()> + Send + Sync>;

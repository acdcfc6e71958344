//! SQS without its protocol: what the endpoint's actions and the event source mapping share.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    clock::Clock,
    duplicates::Duplicates,
    message::Content,
    queue::Queue,
    refusal::Refusal,
    sent::{Fate, Fault, OnSend, Sent},
};

/// The region of every queue.
pub const REGION: &str = "eu-central-1";
/// The account of every queue.
pub const ACCOUNT: &str = "000000000000";

pub(super) struct Service {
    pub(super) clock: Clock,
    /// `http://127.0.0.1:<port>`.
    pub(super) url: String,
    pub(super) closing: CancellationToken,
    state: Mutex<State>,
    /// Told of everything that can make a message visible; whoever waits looks again.
    changes: watch::Sender<()>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) queues: BTreeMap<String, Queue>,
    /// When a queue was deleted; its name rests for a minute.
    pub(super) deleted: HashMap<String, Instant>,
    pub(super) duplicates: Duplicates,
    pub(super) fault: Option<Fault>,
    pub(super) on_send: Option<OnSend>,
    pub(super) sent: Vec<Sent>,
}

/// URL of a queue of the endpoint that is reached at `at`.
pub fn queue_url(at: &str, name: &str) -> String {
    format!("{at}/{ACCOUNT}/{name}")
}

impl Service {
    pub(super) fn new(url: String) -> Self {
        Self {
            clock: Clock::start(),
            url,
            closing: CancellationToken::new(),
            state: Mutex::default(),
            changes: watch::Sender::new(()),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn arn_prefix() -> String {
        format!("arn:aws:sqs:{REGION}:{ACCOUNT}:")
    }

    pub(super) fn tell_change(&self) {
        self.changes.send_replace(());
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Sends one message that passed its checks, or does with it what the present fault says.
    pub(super) async fn send(&self, queue: &str, content: Content, delay: Option<Duration>) -> Result<(), Refusal> {
        let (sent, on_send) = {
            let state = self.state();
            let found = state.queues.get(queue).ok_or_else(Refusal::no_queue)?;
            let before = state.sent.iter().filter(|sent| state.fault.is_some() && sent.queue == queue).count();
            let sent = Sent {
                queue: queue.to_owned(),
                message_id: content.id.clone(),
                body: content.body.clone(),
                delay: delay.unwrap_or(found.settings.delay),
                at: self.clock.now(),
                fate: Fault::fate(state.fault, before),
            };
            (sent, state.on_send.clone())
        };
        if let Some(on_send) = on_send {
            on_send(sent.clone()).await;
        }
        let fate = sent.fate;
        {
            let mut state = self.state();
            state.sent.push(sent);
            if fate == Fate::Stored {
                let found = state.queues.get_mut(queue).ok_or_else(Refusal::no_queue)?;
                found.send(content, delay, self.clock.now());
            }
        }
        self.tell_change();
        match fate {
            Fate::Stored | Fate::Discarded => Ok(()),
            Fate::Failed => Err(Refusal::new("InternalFailure", "Something failed on our side. Try again.")),
            Fate::FailedAlone => Err(Refusal::new("InternalError", "Something failed on our side. Try again.")),
            Fate::Hung => {
                self.closing.cancelled().await;
                Err(Refusal::new("InternalFailure", "The endpoint stopped."))
            }
        }
    }
}

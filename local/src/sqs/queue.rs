//! One queue: what is visible, hidden or delayed at an instant. Every method is told the time, so that none waits.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    counts::Counts,
    duplicates::Duplicates,
    message::{Content, Delivered, Message, Peeked, Receipt},
    refusal::Refusal,
    settings::Settings,
};

#[derive(Debug)]
pub(super) struct Queue {
    pub(super) arn: String,
    pub(super) settings: Settings,
    pub(super) created_at: Instant,
    pub(super) modified_at: Instant,
    pub(super) purged_at: Option<Instant>,
    messages: BTreeMap<u64, Message>,
    /// Every message once, by the time from which it can be received.
    by_visibility: BTreeSet<(Instant, u64)>,
    sequence: u64,
    deliveries: u64,
}

/// What a receive took out of a queue.
#[derive(Default)]
pub(super) struct Received {
    pub(super) delivered: Vec<Delivered>,
    /// Received too often: they belong to the dead-letter queue now.
    pub(super) given_up: Vec<Message>,
}

impl Queue {
    pub(super) fn new(arn: String, settings: Settings, now: Instant) -> Self {
        Self {
            arn,
            settings,
            created_at: now,
            modified_at: now,
            purged_at: None,
            messages: BTreeMap::new(),
            by_visibility: BTreeSet::new(),
            sequence: 0,
            deliveries: 0,
        }
    }

    pub(super) fn send(&mut self, content: Content, delay: Option<Duration>, now: Instant) {
        self.insert(Message {
            content,
            sent_at: now,
            visible_at: now + delay.unwrap_or(self.settings.delay),
            first_received_at: None,
            receives: 0,
            delivery: 0,
            dead_letter_source: None,
            is_duplicate: false,
        });
    }

    /// Takes a message that another queue gave up. Its retention goes on counting from its first sending.
    pub(super) fn take_over(&mut self, mut message: Message, source: &str, now: Instant) {
        message.visible_at = now;
        message.dead_letter_source = Some(source.to_owned());
        self.insert(message);
    }

    /// Receives up to `most` visible messages; those received `give_up` times before are handed out apart.
    pub(super) fn receive(
        &mut self,
        most: usize,
        visibility: Duration,
        give_up: Option<u32>,
        now: Instant,
        duplicates: &mut Duplicates,
    ) -> Received {
        let mut received = Received::default();
        while received.delivered.len() < most {
            let Some(&(visible_at, sequence)) = self.by_visibility.first() else { break };
            if visible_at > now {
                break;
            }
            let Some(mut message) = self.remove(sequence) else { break };
            if self.is_past_retention(&message, now) {
                continue;
            }
            if give_up.is_some_and(|most| message.receives >= most) {
                received.given_up.push(message);
                continue;
            }
            self.deliveries += 1;
            message.delivery = self.deliveries;
            message.receives += 1;
            message.first_received_at.get_or_insert(now);
            // Visibility 0 hands the message out and leaves it visible: once per receive, whatever `most` says.
            message.visible_at = now + visibility.max(Duration::from_nanos(1));
            if !message.is_duplicate && duplicates.strikes() {
                self.insert(Message { visible_at: now, is_duplicate: true, ..message.clone() });
            }
            let receipt = Receipt { sequence, delivery: message.delivery };
            received.delivered.push(Delivered { message: message.clone(), receipt });
            self.insert_at(sequence, message);
        }
        received
    }

    /// Deletes what the receipt delivered. An older delivery's receipt, or that of a deleted message, succeeds and
    /// deletes nothing, as documented for standard queues.
    pub(super) fn delete(&mut self, receipt: Receipt) {
        if self.messages.get(&receipt.sequence).is_some_and(|message| message.delivery == receipt.delivery) {
            self.remove(receipt.sequence);
        }
    }

    pub(super) fn change_visibility(
        &mut self,
        receipt: Receipt,
        visibility: Duration,
        now: Instant,
    ) -> Result<(), Refusal> {
        let message = self.messages.get(&receipt.sequence).filter(|message| message.delivery == receipt.delivery);
        let Some(message) = message else {
            let reason = "Message does not exist or is not available for visibility timeout change.";
            return Err(Refusal::value(receipt.handle(&self.arn), "ReceiptHandle", reason));
        };
        if message.visible_at <= now {
            return Err(Refusal::new("MessageNotInflight", "The specified message isn't in flight."));
        }
        self.show_at(receipt.sequence, now + visibility);
        Ok(())
    }

    pub(super) fn peek(&self, most: usize, now: Instant) -> Vec<Peeked> {
        self.messages.values().take(most).map(|message| message.peeked(now)).collect()
    }

    pub(super) fn counts(&self, now: Instant) -> Counts {
        Counts::of(self.messages.values().filter(|message| !self.is_past_retention(message, now)), now)
    }

    /// When the next message can be received: in the past where one can be now.
    pub(super) fn next_visible(&self) -> Option<Instant> {
        self.by_visibility.first().map(|&(at, _)| at)
    }

    /// When time alone will change the counts next.
    pub(super) fn next_change(&self, now: Instant) -> Option<Instant> {
        self.by_visibility.range((now, u64::MAX)..).next().map(|&(at, _)| at)
    }

    /// Makes what was received visible again at once, as if its visibility had run out.
    pub(super) fn expire_visibility(&mut self, now: Instant) {
        let hidden: Vec<u64> = self
            .messages
            .iter()
            .filter(|(_, message)| message.receives > 0 && message.visible_at > now)
            .map(|(&sequence, _)| sequence)
            .collect();
        for sequence in hidden {
            self.show_at(sequence, now);
        }
    }

    pub(super) fn purge(&mut self) {
        self.messages.clear();
        self.by_visibility.clear();
    }

    fn is_past_retention(&self, message: &Message, now: Instant) -> bool {
        now.saturating_duration_since(message.sent_at) >= self.settings.retention
    }

    fn insert(&mut self, message: Message) {
        self.sequence += 1;
        self.insert_at(self.sequence, message);
    }

    fn insert_at(&mut self, sequence: u64, message: Message) {
        self.by_visibility.insert((message.visible_at, sequence));
        self.messages.insert(sequence, message);
    }

    fn remove(&mut self, sequence: u64) -> Option<Message> {
        let message = self.messages.remove(&sequence)?;
        self.by_visibility.remove(&(message.visible_at, sequence));
        Some(message)
    }

    fn show_at(&mut self, sequence: u64, at: Instant) {
        if let Some(mut message) = self.remove(sequence) {
            message.visible_at = at;
            self.insert_at(sequence, message);
        }
    }
}

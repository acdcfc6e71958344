//! The receiving side of the service: long polls, redrive, deletes.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    message::{Delivered, Receipt},
    queue::Queue,
    refusal::Refusal,
    service::{Service, State},
};

impl Service {
    /// The longest wait of a receive.
    pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(20);

    /// Receives up to `most` messages, waiting up to `wait` for the first. Dropping the future loses none.
    pub(super) async fn receive(
        &self,
        queue: &str,
        most: usize,
        visibility: Option<Duration>,
        wait: Option<Duration>,
    ) -> Result<Vec<Delivered>, Refusal> {
        let mut changes = self.subscribe();
        let wait = match wait {
            Some(wait) => wait,
            None => self.state().queues.get(queue).ok_or_else(Refusal::no_queue)?.settings.receive_wait,
        };
        let until = Instant::now() + wait;
        loop {
            changes.mark_unchanged();
            let (delivered, next) = self.take(queue, most, visibility)?;
            if !delivered.is_empty() || Instant::now() >= until {
                return Ok(delivered);
            }
            tokio::select! {
                _ = changes.changed() => {},
                () = self.clock.sleep_until(next.unwrap_or(self.clock.now() + wait)) => {},
                () = tokio::time::sleep_until(until) => {},
                () = self.closing.cancelled() => return Ok(Vec::new()),
            }
        }
    }

    /// Deletes what a receipt delivered.
    pub(super) fn delete(&self, queue: &str, handle: &str) -> Result<(), Refusal> {
        let mut state = self.state();
        let found = state.queues.get_mut(queue).ok_or_else(Refusal::no_queue)?;
        let receipt = Receipt::read(handle, &found.arn)?;
        found.delete(receipt);
        drop(state);
        self.tell_change();
        Ok(())
    }

    /// Whether a message can be received now.
    pub(super) fn has_visible(&self, queue: &str) -> bool {
        let now = self.clock.now();
        self.state().queues.get(queue).and_then(Queue::next_visible).is_some_and(|at| at <= now)
    }

    /// Takes a message away before its receives are spent: to the dead-letter queue, where there is one.
    pub(super) fn give_up(&self, queue: &str, delivered: &Delivered) {
        let now = self.clock.now();
        let mut state = self.state();
        let Some(found) = state.queues.get_mut(queue) else { return };
        found.delete(delivered.receipt);
        let source = found.arn.clone();
        let target = found.settings.redrive.as_ref().map(|redrive| redrive.dead_letter.clone());
        if let Some(dead_letters) = target.and_then(|name| state.queues.get_mut(&name)) {
            dead_letters.take_over(delivered.message.clone(), &source, now);
        }
        drop(state);
        self.tell_change();
    }

    /// Receives what is visible now, and moves what was received too often to its dead-letter queue. Also says
    /// when the next message becomes visible.
    fn take(
        &self,
        queue: &str,
        most: usize,
        visibility: Option<Duration>,
    ) -> Result<(Vec<Delivered>, Option<Instant>), Refusal> {
        let now = self.clock.now();
        let mut state = self.state();
        let State { queues, duplicates, .. } = &mut *state;
        let redrive = queues.get(queue).ok_or_else(Refusal::no_queue)?.settings.redrive.clone();
        // Without its dead-letter queue a message stays where it is.
        let redrive = redrive.filter(|redrive| queues.contains_key(&redrive.dead_letter));
        let found = queues.get_mut(queue).ok_or_else(Refusal::no_queue)?;
        let visibility = visibility.unwrap_or(found.settings.visibility);
        let give_up = redrive.as_ref().map(|redrive| redrive.max_receive_count);
        let received = found.receive(most, visibility, give_up, now, duplicates);
        let (next, source) = (found.next_visible(), found.arn.clone());
        let moved = !received.given_up.is_empty();
        if let Some(dead_letters) = redrive.and_then(|redrive| queues.get_mut(&redrive.dead_letter)) {
            for message in received.given_up {
                dead_letters.take_over(message, &source, now);
            }
        }
        drop(state);
        if moved {
            self.tell_change();
        }
        Ok((received.delivered, next))
    }
}

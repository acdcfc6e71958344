//! One message: its invocation, and what becomes of it afterwards.

use std::{sync::Arc, time::Duration};

use tokio::{sync::watch, time::sleep};

use super::{
    super::{message::Delivered, service::Service},
    Activity, Answer, Event, Function, MappingSettings, answer, event, lineage,
};

/// First and longest pause before a throttled invocation is tried again. AWS names no numbers.
const BACKOFF: Duration = Duration::from_millis(100);
const LONGEST_BACKOFF: Duration = Duration::from_secs(2);

pub(super) struct Invoker {
    pub(super) service: Arc<Service>,
    pub(super) queue: String,
    pub(super) settings: MappingSettings,
    pub(super) function: Function,
    pub(super) activity: watch::Sender<Activity>,
}

impl Invoker {
    pub(super) async fn handle(self: Arc<Self>, delivered: Delivered) {
        let (trace, hops) = lineage::next(delivered.message.content.trace.as_deref());
        if self.settings.refuse_after_hops.is_some_and(|most| hops > most) {
            self.service.give_up(&self.queue, &delivered);
            self.activity.send_modify(|activity| activity.loops += 1);
            return;
        }
        let running = Running::enter(&self.activity);
        let queue_arn = format!("{}{}", Service::arn_prefix(), self.queue);
        let payload = event::of(&self.service, &queue_arn, &delivered);
        if self.invoke(&delivered, Event { payload, trace }).await {
            // Fails only where the queue was deleted.
            let _ = self.service.delete(&self.queue, &delivered.receipt.handle(&queue_arn));
            running.complete();
        }
    }

    /// Whether the function is done with the message.
    async fn invoke(&self, delivered: &Delivered, event: Event) -> bool {
        let mut backoff = BACKOFF;
        loop {
            match (self.function)(event.clone()).await {
                Answer::Success(payload) => {
                    return !self.settings.report_batch_item_failures || answer::is_complete(&payload);
                }
                Answer::Failed => return false,
                Answer::Throttled => {
                    self.activity.send_modify(|activity| activity.throttled += 1);
                    if self.service.clock.now() + backoff >= delivered.message.visible_at {
                        return false;
                    }
                    sleep(backoff).await;
                    backoff = (backoff * 2).min(LONGEST_BACKOFF);
                }
            }
        }
    }
}

/// Counts an invocation while it runs. One that ends without [`Running::complete`] has failed, by a panic too.
struct Running<'a> {
    activity: &'a watch::Sender<Activity>,
    completed: bool,
}

impl<'a> Running<'a> {
    fn enter(activity: &'a watch::Sender<Activity>) -> Self {
        activity.send_modify(|activity| {
            activity.running += 1;
            activity.invocations += 1;
            activity.peak = activity.peak.max(activity.running);
        });
        Self { activity, completed: false }
    }

    fn complete(mut self) {
        self.completed = true;
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.activity.send_modify(|activity| {
            activity.running -= 1;
            if self.completed {
                activity.completed += 1;
            } else {
                activity.failed += 1;
            }
        });
    }
}

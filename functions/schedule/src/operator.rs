//! The actions of an operator.

use std::time::Duration;

use pushwake::function::{Failure, device_hash};
use pushwake::limits;
use pushwake::operator::{Action, DeviceStory, EventStory, Forgotten};
use pushwake::queue::{Queue, QueueError};
use serde::Serialize;

/// What an action answers: itself, in JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Acted {
    /// Where an event stands.
    Event(EventStory),
    /// Where a device stands.
    Device(DeviceStory),
    /// What was removed of a device.
    Forgotten(Forgotten),
}

/// Reads the action of an event; none is the minute's.
pub(crate) fn read(event: &str) -> Result<Option<Action>, Failure> {
    Action::read(event).map_err(|fault| Failure {
        error_type: "Pushwake.InvalidAction",
        message: format!("nothing was done: {fault}"),
    })
}

/// Does what an action asks, within `left`.
pub(crate) async fn act(queue: &Queue, action: &Action, left: Duration) -> Result<Acted, QueueError> {
    match action {
        Action::InspectEvent { source, event } => {
            let story = queue.inspect_event(source.as_ref(), event).await?;
            tracing::info!(devices = story.devices.len(), cut = story.cut, "inspected an event");
            Ok(Acted::Event(story))
        }
        Action::InspectDevice { app, device } => {
            let story = queue.inspect_device(app.as_ref(), device).await?;
            tracing::info!(events = story.events.len(), cut = story.cut, "inspected a device");
            Ok(Acted::Device(story))
        }
        Action::Forget { app, device } => {
            // its last pass may begin at the end of the budget
            let budget = left.saturating_sub(2 * limits::STATEMENT_DEADLINE).min(limits::FORGET_BUDGET);
            let forgotten = queue.forget(app, device, budget).await?;
            let removed = forgotten.removed;
            tracing::info!(
                app = app.as_str(),
                device = device_hash(app, device),
                notifications = removed.notifications,
                receipts = removed.receipts,
                dismissals = removed.dismissals,
                dead_tokens = removed.dead_tokens,
                complete = forgotten.complete,
                "forgot a device"
            );
            Ok(Acted::Forgotten(forgotten))
        }
    }
}

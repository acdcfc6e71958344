//! What somebody asks about one event or one device, and the story that answers it.

use pushwake::contract::AppId;
use pushwake::function::device_hash;
use pushwake::operator::{Action, DeviceStory, EventStory};
use serde::Deserialize;
use serde_json::json;

use super::line::{Attempt, Call};
use super::watch::Watch;

/// Attempts and calls that one story shows, the latest.
const SHOWN: usize = 200;

/// `/event?source=…&event=…`; without a source, that of any.
#[derive(Debug, Deserialize)]
pub(super) struct OfEvent {
    source: Option<String>,
    event: Option<String>,
}

/// `/device?app=…&device=…`, or with the `hash` by which log lines call the device.
#[derive(Debug, Deserialize)]
pub(super) struct OfDevice {
    app: Option<String>,
    device: Option<String>,
    hash: Option<String>,
}

/// Where something stands now, and how it came there.
pub(super) struct Story<T> {
    pub(super) now: T,
    /// The latest first.
    pub(super) attempts: Vec<Attempt>,
    /// The calls of enqueue that belong to it.
    pub(super) calls: Vec<Call>,
}

impl OfEvent {
    pub(super) async fn answer(self, watch: &Watch) -> Result<Story<EventStory>, String> {
        let (source, event) = (filled(self.source), filled(self.event).ok_or("Name the event to see its story.")?);
        let action = read(&json!({"action": "inspect", "source": source, "event": event}))?;
        let Action::InspectEvent { source, event } = action else { return Err("Name one event.".to_owned()) };
        let story = watch.queue().inspect_event(source.as_ref(), &event).await.map_err(|error| error.to_string())?;
        let is_it = |name: Option<&str>| name == Some(event.as_str());
        let is_its_source = |name: Option<&str>| source.as_ref().is_none_or(|source| name == Some(source.as_str()));
        let hashes: Vec<_> =
            story.devices.iter().map(|standing| device_hash(&standing.app, &standing.device)).collect();
        Ok(watch.log(|log| Story {
            // A line names no source: where one is asked for, its devices tell.
            attempts: latest(log.attempts.iter().rev(), |attempt| {
                is_it(attempt.event.as_deref()) && (source.is_none() || story.cut || hashes.contains(&attempt.device))
            }),
            calls: latest(log.calls.iter().rev(), |call| {
                is_it(call.event.as_deref()) && is_its_source(call.source.as_deref())
            }),
            now: story,
        }))
    }
}

impl OfDevice {
    pub(super) async fn answer(self, watch: &Watch) -> Result<Story<DeviceStory>, String> {
        let app = filled(self.app);
        let device = match (filled(self.device), &app, filled(self.hash)) {
            (Some(device), _, _) => device,
            (None, Some(app), Some(hash)) => found(watch, app, &hash).await?,
            _ => return Err("Name the device to see its story.".to_owned()),
        };
        let action = read(&json!({"action": "inspect", "app": app, "device": device}))?;
        let Action::InspectDevice { app, device } = action else { return Err("Name one device.".to_owned()) };
        let story = watch.queue().inspect_device(app.as_ref(), &device).await.map_err(|error| error.to_string())?;
        let mut apps: Vec<AppId> = story.events.iter().map(|standing| standing.app.clone()).chain(app).collect();
        apps.extend(story.dead_tokens.iter().map(|dead| dead.app.clone()));
        let hashes: Vec<String> = apps.iter().map(|app| device_hash(app, &device)).collect();
        Ok(watch.log(|log| Story {
            attempts: latest(log.attempts.iter().rev(), |attempt| hashes.contains(&attempt.device)),
            calls: latest(log.calls.iter().rev(), |call| {
                story.events.iter().any(|standing| {
                    call.event.as_deref() == Some(standing.event.as_str())
                        && call.source.as_deref() == Some(standing.source.as_str())
                })
            }),
            now: story,
        }))
    }
}

async fn found(watch: &Watch, app: &str, hash: &str) -> Result<String, String> {
    // NUL is no text to Postgres.
    let asked = [app, hash].iter().all(|text| !text.contains('\0'));
    let find = sqlx::query_scalar(include_str!("sql/device_of_hash.sql")).bind(app).bind(hash);
    let found = if asked { find.fetch_optional(watch.pool()).await.map_err(|error| error.to_string())? } else { None };
    found.ok_or_else(|| "No device is known by this hash any more.".to_owned())
}

/// Reads it as the operator's action is read, which checks the ids.
fn read(action: &serde_json::Value) -> Result<Action, String> {
    let named = action.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let action: serde_json::Map<_, _> = named.map(|(name, value)| (name.clone(), value.clone())).collect();
    let read = Action::read(&serde_json::Value::Object(action).to_string());
    read.map_err(|fault| fault.to_string())?.ok_or_else(|| "Name an event or a device.".to_owned())
}

/// A field of a form that was left empty says nothing.
fn filled(field: Option<String>) -> Option<String> {
    field.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn latest<'a, T: Clone + 'a>(all: impl Iterator<Item = &'a T>, is_one: impl Fn(&T) -> bool) -> Vec<T> {
    all.filter(|one| is_one(one)).take(SHOWN).cloned().collect()
}

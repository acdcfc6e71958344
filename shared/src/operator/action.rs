//! An operator's action: an event of schedule.

use serde_json::json;

use super::VERSION;
use crate::contract::{AppId, DeviceId, EventId, Fault, Source};
use crate::field::{Field, Object};

/// What is asked. Nothing else that schedule is invoked with has an `action`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `{"action": "inspect", "event": …}`: where an event stands with each of its devices.
    InspectEvent {
        /// The event's source; without one the event is looked up over all of them.
        source: Option<Source>,
        /// The event.
        event: EventId,
    },
    /// `{"action": "inspect", "device": …}`: what is known of a device.
    InspectDevice {
        /// The device's app; without one the device is looked up over all of them.
        app: Option<AppId>,
        /// The device.
        device: DeviceId,
    },
    /// `{"action": "forget", "app": …, "device": …}`: remove every trace of a device.
    Forget {
        /// The device's app.
        app: AppId,
        /// The device.
        device: DeviceId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Inspect,
    Forget,
}

impl Word {
    fn as_str(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::Forget => "forget",
        }
    }
}

impl Action {
    /// Reads an event of schedule: no action is the minute's, whatever it is. What has an `action` and can't be read is
    /// a fault, never the minute's: whoever mistypes a forget must not be told that something was done.
    pub fn read(event: &str) -> Result<Option<Self>, Fault> {
        let Ok(object) = Field::root(event, "event") else { return Ok(None) };
        if !object.fields().any(|(key, _)| key == "action") {
            return Ok(None);
        }
        if let Some(fault) = object.twice() {
            return Err(fault);
        }
        match object.required("action")?.one_of(&[Word::Inspect, Word::Forget], Word::as_str)? {
            Word::Forget => {
                check(&object, &["v", "action", "app", "device"])?;
                let (app, device) = (object.required("app")?.id()?, object.required("device")?.id()?);
                Ok(Some(Self::Forget { app: app.into(), device: device.into() }))
            }
            Word::Inspect if object.optional("event").is_some() => {
                check(&object, &["v", "action", "source", "event"])?;
                let source = object.optional("source").map(|source| source.id()).transpose()?.map(Source::from);
                Ok(Some(Self::InspectEvent { source, event: object.required("event")?.id()?.into() }))
            }
            Word::Inspect => {
                check(&object, &["v", "action", "app", "device"])?;
                let Some(device) = object.optional("device") else {
                    return Err(Fault::new("event", "is missing: name an event, or a device"));
                };
                let app = object.optional("app").map(|app| app.id()).transpose()?.map(AppId::from);
                Ok(Some(Self::InspectDevice { app, device: device.id()?.into() }))
            }
        }
    }

    /// The event to invoke schedule with.
    pub fn to_json(&self) -> String {
        let mut event = match self {
            Self::InspectEvent { source, event } => json!({"action": "inspect", "source": source, "event": event}),
            Self::InspectDevice { app, device } => json!({"action": "inspect", "app": app, "device": device}),
            Self::Forget { app, device } => json!({"action": "forget", "app": app, "device": device}),
        };
        event["v"] = VERSION.into();
        event.to_string()
    }
}

fn check(object: &Object<'_>, known: &[&str]) -> Result<(), Fault> {
    match object.optional("v") {
        Some(v) if v.whole(u32::MAX).ok() != Some(VERSION) => return Err(v.fault(format!("must be {VERSION}"))),
        _ => {}
    }
    object.unknown(known).next().map_or(Ok(()), Err)
}

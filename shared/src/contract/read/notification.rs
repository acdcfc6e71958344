//! What a notification says.

use serde_json::{Map, Value};

use crate::contract::{Fault, Kind, Notification, Priority, Raw};
use crate::field::{Field, Object};

const KNOWN: &[&str] =
    &["title", "body", "data", "sound", "badge", "collapse_id", "priority", "thread", "image", "raw"];
const PRIORITIES: &[Priority] = &[Priority::High, Priority::Normal, Priority::Low];
const RAW: &[&str] = &["apns", "fcm", "webpush"];

/// Reads `notification`, which only an alert has to have.
pub(super) fn read(call: &Object<'_>, kind: Kind) -> Result<Notification, Fault> {
    let field = match kind {
        Kind::Alert => call.required("notification")?,
        Kind::Background | Kind::Dismiss => match call.optional("notification") {
            Some(field) => field,
            None => return Ok(Notification::default()),
        },
    };
    let object = field.object_of(KNOWN)?;
    if kind != Kind::Alert {
        refuse_visible(&object, kind)?;
    }
    Ok(Notification {
        title: object.optional("title").map(|field| field.string()).transpose()?,
        body: object.optional("body").map(|field| field.string()).transpose()?,
        data: object.optional("data").map_or_else(|| Ok(Map::new()), |field| data(&field))?,
        sound: object.optional("sound").map(|field| field.text()).transpose()?,
        badge: object.optional("badge").map(|field| field.whole(i32::MAX.unsigned_abs())).transpose()?,
        collapse_id: object.optional("collapse_id").map(|field| field.text()).transpose()?,
        priority: object.optional("priority").map(|field| priority(&field, kind)).transpose()?,
        thread: object.optional("thread").map(|field| field.text()).transpose()?,
        image: object.optional("image").map(|field| image(&field)).transpose()?,
        raw: object.optional("raw").map_or_else(|| Ok(Raw::default()), |field| raw(&field))?,
    })
}

fn refuse_visible(object: &Object<'_>, kind: Kind) -> Result<(), Fault> {
    match Notification::VISIBLE.iter().find_map(|key| object.optional(key)) {
        Some(field) => Err(field.fault(format!("is not for kind {}, which shows nothing", kind.as_str()))),
        None => Ok(()),
    }
}

fn data(field: &Field<'_>) -> Result<Map<String, Value>, Fault> {
    let data = field.map()?;
    match Notification::RESERVED.iter().find(|key| data.contains_key(**key)) {
        Some(key) => Err(Fault::new(format!("{}.{key}", field.path), "is reserved; use another key, or raw")),
        None => Ok(data),
    }
}

fn priority(field: &Field<'_>, kind: Kind) -> Result<Priority, Fault> {
    let name = |priority| match priority {
        Priority::High => "high",
        Priority::Normal => "normal",
        Priority::Low => "low",
    };
    match field.one_of(PRIORITIES, name)? {
        Priority::High if kind != Kind::Alert => Err(field.fault("must be normal or low for a silent push")),
        priority => Ok(priority),
    }
}

fn image(field: &Field<'_>) -> Result<String, Fault> {
    let url = field.string()?;
    let rest = url.strip_prefix("https://").unwrap_or_default();
    if rest.is_empty() || rest.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(field.fault("must be an https:// address"));
    }
    Ok(url)
}

fn raw(field: &Field<'_>) -> Result<Raw, Fault> {
    let object = field.object_of(RAW)?;
    let patch = |platform| object.optional(platform).map_or_else(|| Ok(Map::new()), |field| field.map());
    Ok(Raw { apns: patch("apns")?, fcm: patch("fcm")?, webpush: patch("webpush")? })
}

//! What all devices of a call share.

use time::OffsetDateTime;

use super::notification;
use crate::contract::{EventId, Fault, Kind, Payload, Source, VERSION};
use crate::field::Object;

/// What all devices of a call share.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The service that calls.
    pub source: Source,
    /// What to store, with the event and its kind.
    pub payload: Payload,
    /// Not before.
    pub send_at: Option<OffsetDateTime>,
    /// Not after.
    pub expires_at: Option<OffsetDateTime>,
}

const KNOWN: &[&str] = &["v", "source", "event", "kind", "notification", "send_at", "expires_at", "devices"];
const KINDS: &[Kind] = &[Kind::Alert, Kind::Background, Kind::Dismiss];

impl Call {
    /// Reads all but the devices. How far ahead a time lies is for the database's clock to say, in the queue.
    pub(super) fn read(object: &Object<'_>) -> Result<Self, Fault> {
        // First, since a request of another version may well have other fields.
        check_version(object)?;
        if let Some(fault) = object.twice().or_else(|| object.unknown(KNOWN).next()) {
            return Err(fault);
        }
        let source = Source::from(object.required("source")?.id()?);
        let event = EventId::from(object.required("event")?.id()?);
        let kind = match object.optional("kind") {
            Some(field) => field.one_of(KINDS, Kind::as_str)?,
            None => Kind::default(),
        };
        let notification = notification::read(object, kind)?;
        let (send_at, expires_at) = read_times(object, kind)?;
        Ok(Self { source, payload: Payload { kind, event, notification }, send_at, expires_at })
    }
}

fn check_version(object: &Object<'_>) -> Result<(), Fault> {
    match object.optional("v") {
        Some(field) if field.whole(u32::MAX).ok() != Some(VERSION) => Err(field.fault(format!("must be {VERSION}"))),
        _ => Ok(()),
    }
}

fn read_times(object: &Object<'_>, kind: Kind) -> Result<(Option<OffsetDateTime>, Option<OffsetDateTime>), Fault> {
    let send_at = object.optional("send_at");
    if let (Some(field), Kind::Dismiss) = (&send_at, kind) {
        return Err(field.fault("is not for a dismissal, which holds from now on"));
    }
    let send_at = send_at.map(|field| field.time()).transpose()?;
    let Some(field) = object.optional("expires_at") else { return Ok((send_at, None)) };
    let expires_at = field.time()?;
    if send_at.is_some_and(|send_at| expires_at <= send_at) {
        return Err(field.fault("must be later than send_at"));
    }
    Ok((send_at, Some(expires_at)))
}

//! One device of a call.

use super::{DeviceReading, Registration, subscription};
use crate::app::{App, Apps, Platform};
use crate::contract::{AppId, DeviceId, Fault, Target};
use crate::field::{Field, Object};
use crate::limits::{APNS_TOKEN_DIGITS, FCM_TOKEN};

const KNOWN: &[&str] = &["id", "app", "token", "subscription", "registered_at"];

/// Reads one device. Its id and app are read even where something else of it is at fault, to answer for it by name.
pub(super) fn read(field: &Field<'_>, apps: &Apps) -> DeviceReading {
    match field.object() {
        Ok(object) => DeviceReading {
            id: object.optional("id").and_then(|field| field.id().ok()).map(DeviceId::from),
            app: object.optional("app").and_then(|field| field.id().ok()).map(AppId::from),
            registration: registration(&object, apps),
        },
        Err(fault) => DeviceReading { id: None, app: None, registration: Err(fault) },
    }
}

fn registration(object: &Object<'_>, apps: &Apps) -> Result<Registration, Fault> {
    if let Some(fault) = object.twice().or_else(|| object.unknown(KNOWN).next()) {
        return Err(fault);
    }
    let device = DeviceId::from(object.required("id")?.id()?);
    let field = object.required("app")?;
    let app = AppId::from(field.id()?);
    let Some(App { platform, .. }) = apps.find(&app) else {
        return Err(field.fault("is not a configured app"));
    };
    let target = target(object, platform)?;
    let registered_at = object.optional("registered_at").map(|field| field.time()).transpose()?;
    Ok(Registration { app, device, target, registered_at })
}

fn target(object: &Object<'_>, platform: &Platform) -> Result<Target, Fault> {
    let other = if matches!(platform, Platform::WebPush(_)) { "token" } else { "subscription" };
    if let Some(field) = object.optional(other) {
        return Err(field.fault(format!("is not for a device of platform {}", platform.name())));
    }
    match platform {
        Platform::Apns(_) => Ok(Target::Apns { token: apns_token(&object.required("token")?)? }),
        Platform::Fcm(_) => Ok(Target::Fcm { token: fcm_token(&object.required("token")?)? }),
        Platform::WebPush(app) => subscription::read(&object.required("subscription")?, app),
    }
}

/// In lower case: the same token written in two ways is one token, dead or alive.
fn apns_token(field: &Field<'_>) -> Result<String, Fault> {
    let token = field.string()?;
    let hex = token.bytes().all(|b| b.is_ascii_hexdigit());
    if hex && token.len() % 2 == 0 && (2..=APNS_TOKEN_DIGITS).contains(&token.len()) {
        Ok(token.to_ascii_lowercase())
    } else {
        Err(field.fault(format!("must be an APNs token: 2 to {APNS_TOKEN_DIGITS} hex digits, an even number of them")))
    }
}

/// As it is: the same letters in another case are another token.
fn fcm_token(field: &Field<'_>) -> Result<String, Fault> {
    let token = field.string()?;
    if (1..=FCM_TOKEN).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_graphic()) {
        Ok(token)
    } else {
        Err(field.fault(format!("must be an FCM registration token: 1 to {FCM_TOKEN} visible ASCII characters")))
    }
}

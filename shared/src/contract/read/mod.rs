//! Reads a request, field by field, so that whatever is wrong with it is said of the field where it is wrong.

mod call;
mod device;
mod notification;
mod subscription;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use time::OffsetDateTime;

use super::{AppId, DeviceId, Fault, Target};
use crate::app::Apps;
use crate::body;
use crate::field::{Field, Object};
use crate::limits::{DEVICES, DEVICES_ANSWERED};

pub use call::Call;

/// A request as far as it can be read.
pub struct Reading {
    /// What all devices share. Its fault is every device's, and then none has a registration.
    pub call: Result<Call, Fault>,
    /// Every device, in the order of the request.
    pub devices: Vec<DeviceReading>,
    /// What is taken and may still meet a provider that does not take it.
    pub warnings: Vec<Fault>,
}

/// A device as far as it can be read.
pub struct DeviceReading {
    /// Its id, where one can be read.
    pub id: Option<DeviceId>,
    /// Its app, where one can be read.
    pub app: Option<AppId>,
    /// What to queue for.
    pub registration: Result<Registration, Fault>,
}

/// A valid device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// A configured app.
    pub app: AppId,
    /// The device, once in a call.
    pub device: DeviceId,
    /// Where its notifications go.
    pub target: Target,
    /// When the app last registered it.
    pub registered_at: Option<OffsetDateTime>,
}

/// Reads `request`. The error is for a request whose devices can't be read, so that there is nobody to answer for.
pub fn read(request: &str, apps: &Apps) -> Result<Reading, Fault> {
    let object = Field::root(request, "request")?;
    let fields = fields(&object)?;
    let call = match fields.len() {
        ..=DEVICES => Call::read(&object),
        n => Err(Fault::new("devices", format!("names {n} devices; at most {DEVICES}"))),
    };
    let mut devices: Vec<DeviceReading> = fields.iter().map(|field| device::read(field, apps)).collect();
    refuse_repeated(&fields, &mut devices);
    let mut warnings = Vec::new();
    match &call {
        Ok(call) => refuse_unsendable(call, apps, &mut devices, &mut warnings),
        Err(fault) => devices.iter_mut().for_each(|device| device.registration = Err(fault.clone())),
    }
    Ok(Reading { call, devices, warnings })
}

fn fields<'a>(object: &Object<'a>) -> Result<Vec<Field<'a>>, Fault> {
    let devices = object.required("devices")?;
    let fields = devices.array()?;
    match fields.len() {
        0 => Err(devices.fault(format!("must name 1 to {DEVICES} devices"))),
        1..=DEVICES_ANSWERED => Ok(fields),
        n => Err(devices.fault(format!("names {n} devices; at most {DEVICES}"))),
    }
}

/// The first valid device of an (app, id) is taken. A second one would be another notification with the same receipt.
fn refuse_repeated(fields: &[Field<'_>], devices: &mut [DeviceReading]) {
    let mut first = HashMap::new();
    for (n, (field, device)) in fields.iter().zip(devices).enumerate() {
        let Ok(registration) = &device.registration else { continue };
        let key = (registration.app.clone(), registration.device.clone());
        let earlier = *first.entry(key).or_insert(n);
        if earlier != n {
            let reason = format!("is the same device as devices[{earlier}]");
            device.registration = Err(Fault::new(format!("{}.id", field.path), reason));
        }
    }
}

/// What the provider's final body makes impossible, found out once per platform.
fn refuse_unsendable(call: &Call, apps: &Apps, devices: &mut [DeviceReading], warnings: &mut Vec<Fault>) {
    let mut checked = HashMap::new();
    for device in devices {
        let Ok(registration) = &device.registration else { continue };
        let Some(app) = apps.find(&registration.app) else { continue };
        let platform = &app.platform;
        let check = checked.entry(platform.name()).or_insert_with(|| {
            let checked = body::check(platform, &call.payload);
            checked.map(|warning| warnings.extend(warning))
        });
        if let Err(fault) = check {
            device.registration = Err(fault.clone());
        }
    }
}

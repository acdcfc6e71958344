mod call;
mod device;
mod noise;
mod samples;
mod subscription;

use super::{Reading, read};
use crate::app::Apps;
use crate::contract::Fault;

const APPS: &str = r#"{"ios":{"platform":"apns","topic":"com.example.app","environment":"sandbox","team":"TEAM123456",
    "key_id":"KEY1234567","key":"file:/key.p8"},"ipad":{"platform":"apns","topic":"com.example.pad",
    "environment":"sandbox","team":"TEAM123456","key_id":"KEY1234567","key":"file:/key.p8"},
    "android":{"platform":"fcm","project":"shop-1","key":"file:/key.json"},"web":{"platform":"webpush",
    "subject":"mailto:push@example.com","key":"file:/vapid","public_key":
    "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"}}"#;

fn reading(request: &str) -> Result<Reading, Fault> {
    let reading = read(request, &Apps::parse(APPS).expect("apps"));
    #[cfg(feature = "schema")]
    crate::schema::tests::request::agrees(request, &reading);
    reading
}

/// A good call with `device` between two good devices.
fn with_device(device: &str) -> Reading {
    let request = format!(
        r#"{{"source":"shop","event":"e1","notification":{{"title":"t"}},"devices":[
            {{"id":"before","app":"ios","token":"aa"}},{device},{{"id":"after","app":"ios","token":"bb"}}]}}"#
    );
    let reading = reading(&request).expect("devices that can be read");
    assert!(reading.call.is_ok() && reading.devices[0].registration.is_ok() && reading.devices[2].registration.is_ok());
    reading
}

/// The fault of a device.
fn device_fault(device: &str) -> String {
    with_device(device).devices[1].registration.as_ref().expect_err(device).to_string()
}

/// A call of one good device with `members` before it.
fn with_members(members: &str) -> Result<Reading, Fault> {
    reading(&format!(r#"{{{members},"devices":[{{"id":"d","app":"ios","token":"aa"}}]}}"#))
}

fn with_notification(notification: &str) -> Reading {
    with_members(&format!(r#""source":"shop","event":"e1","notification":{notification}"#)).expect("a device")
}

/// The fault of a call that its device would be answered.
fn call_fault(members: &str) -> String {
    with_members(members).expect("a device that can be read").call.expect_err(members).to_string()
}

/// The fault of a notification.
fn notification_fault(notification: &str) -> String {
    call_fault(&format!(r#""source":"shop","event":"e1","notification":{notification}"#))
}

//! The samples under `events/`, and the typed request against the reading of it.

use std::path::Path;

use super::super::{DeviceReading, read};
use super::APPS;
use crate::app::Apps;
use crate::contract::{Registration, Request};

#[test]
fn every_sample_is_valid_and_says_the_same_through_the_typed_request() {
    let apps = Apps::parse(&APPS.replace(r#""ios""#, r#""ios-prod""#)).expect("apps");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../events");
    let mut samples = 0;
    for entry in folder.read_dir().expect("events") {
        let path = entry.expect("an entry").path();
        if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("enqueue-")) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a sample");
        let request: Request =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let written = serde_json::to_string(&request).expect("JSON");
        let [sample, typed] = [&text, &written].map(|text| read(text, &apps).expect("devices"));
        assert_eq!(sample.call.expect("a call"), typed.call.expect("a call"), "{}", path.display());
        let valid = |devices: Vec<DeviceReading>| {
            devices.into_iter().map(|device| device.registration.expect("valid")).collect::<Vec<Registration>>()
        };
        assert_eq!(valid(sample.devices), valid(typed.devices), "{}", path.display());
        samples += 1;
    }
    assert_eq!(samples, 10, "three kinds for three platforms, and a scheduled one");
}

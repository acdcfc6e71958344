//! From what the reading and the queue say to one result per device.

use pushwake::contract::{DeviceReading, DeviceResult, Fault, Response, Status, VERSION, WakeStatus};
use pushwake::limits::{LONGEST_LIFE, QUOTA_WINDOW, SEND_AHEAD};
use pushwake::queue::Answer;

/// What is said of one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    status: Status,
    fault: Option<Fault>,
}

impl Verdict {
    pub fn invalid(fault: Fault) -> Self {
        Self { status: Status::Invalid, fault: Some(fault) }
    }

    pub fn quota(limit: i64) -> Self {
        let minutes = QUOTA_WINDOW.as_secs() / 60;
        let reason = format!("its quota of {limit} notifications in {minutes} min does not cover this call");
        Self { status: Status::RateLimited, fault: Some(Fault::new("source", reason)) }
    }
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Self {
        let status = match answer {
            Answer::Queued => Status::Queued,
            Answer::Duplicate => Status::Duplicate,
            Answer::Conflict => Status::Conflict,
            Answer::Unregistered => Status::Unregistered,
            Answer::RateLimited => Status::RateLimited,
            Answer::Expired => Status::Expired,
            Answer::Dismissed => Status::Dismissed,
            Answer::TooFarAhead => {
                let hours = SEND_AHEAD.as_secs() / 3600;
                return Self::invalid(Fault::new("send_at", format!("lies more than {hours} h ahead")));
            }
            Answer::TooLongLife => {
                let hours = LONGEST_LIFE.as_secs() / 3600;
                return Self::invalid(Fault::new("expires_at", format!("lies more than {hours} h after it is due")));
            }
        };
        Self { status, fault: None }
    }
}

/// One result per device, in the order of the request; `verdicts` are those of the devices with a registration.
pub(crate) fn response(devices: Vec<DeviceReading>, verdicts: Vec<Verdict>, wake: WakeStatus) -> Response {
    let mut verdicts = verdicts.into_iter();
    let results = devices.into_iter().map(|device| {
        let verdict = match device.registration {
            Err(fault) => Verdict::invalid(fault),
            Ok(_) => verdicts.next().expect("the queue answers for every device it was given"),
        };
        let (field, reason) = verdict.fault.map(|fault| (fault.field, fault.reason)).unzip();
        DeviceResult { device: device.id, app: device.app, status: verdict.status, field, reason }
    });
    Response { v: VERSION, results: results.collect(), wake }
}

#[cfg(test)]
mod tests {
    use pushwake::contract::{Registration, Target};
    use serde_json::json;

    use super::*;

    fn valid(id: &str) -> DeviceReading {
        let target = Target::Apns { token: "aa".into() };
        let registration = Registration { app: "ios".into(), device: id.into(), target, registered_at: None };
        DeviceReading { id: Some(id.into()), app: Some("ios".into()), registration: Ok(registration) }
    }

    #[test]
    fn verdicts_go_to_the_valid_devices_in_order() {
        let refused = DeviceReading { id: None, app: None, registration: Err(Fault::new("devices[1].id", "is empty")) };
        let verdicts = vec![Answer::Queued.into(), Answer::TooFarAhead.into()];
        let response = response(vec![valid("a"), refused, valid("b")], verdicts, WakeStatus::NotNeeded);
        assert_eq!(
            serde_json::to_value(response).expect("JSON"),
            json!({"v": 1, "wake": "not_needed", "results": [
                {"device": "a", "app": "ios", "status": "queued"},
                {"device": null, "app": null, "status": "invalid", "field": "devices[1].id", "reason": "is empty"},
                {"device": "b", "app": "ios", "status": "invalid", "field": "send_at",
                    "reason": "lies more than 12 h ahead"}
            ]})
        );
    }
}

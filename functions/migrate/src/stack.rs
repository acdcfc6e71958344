//! Events and answers of a `CloudFormation` custom resource.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Constant: another id in an answer would make `CloudFormation` delete the resource it replaces.
const PHYSICAL_RESOURCE_ID: &str = "pushwake-migrations";
/// `CloudFormation` takes 4096 bytes of answer in all.
const REASON: usize = 1024;

/// An event. Read leniently: whatever else is wrong with it, it is answered if it says where.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct StackEvent {
    /// Where the answer goes: a presigned address, so a credential.
    #[serde(rename = "ResponseURL")]
    pub response_url: String,
    /// Create, Update or Delete.
    #[serde(default)]
    pub request_type: String,
    #[serde(default)]
    stack_id: String,
    #[serde(default)]
    request_id: String,
    #[serde(default)]
    logical_resource_id: String,
}

impl StackEvent {
    /// An event of `CloudFormation`, or none, which is a direct invocation.
    pub fn read(event: &str) -> Option<Self> {
        serde_json::from_str(event).ok()
    }

    /// The answer's JSON.
    pub fn answer(&self, outcome: Result<i32, String>) -> String {
        let (status, reason, version) = match outcome {
            Ok(version) => ("SUCCESS", None, Some(version)),
            Err(reason) => ("FAILED", Some(shortened(reason)), None),
        };
        let answer = Answer {
            status,
            reason,
            physical_resource_id: PHYSICAL_RESOURCE_ID,
            stack_id: &self.stack_id,
            request_id: &self.request_id,
            logical_resource_id: &self.logical_resource_id,
            data: version.map(|version| Output { version }),
        };
        serde_json::to_string(&answer).expect("strings and a number are JSON")
    }
}

impl fmt::Debug for StackEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StackEvent").field("request_type", &self.request_type).finish_non_exhaustive()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Answer<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    physical_resource_id: &'static str,
    stack_id: &'a str,
    request_id: &'a str,
    logical_resource_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Output>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Output {
    version: i32,
}

fn shortened(mut reason: String) -> String {
    if reason.len() > REASON {
        reason.truncate(reason.floor_char_boundary(REASON));
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREATE: &str = r#"{"RequestType":"Create","ResponseURL":"https://bucket/key?Signature=canary",
        "StackId":"arn:aws:cloudformation:eu-central-1:123456789012:stack/push/1","RequestId":"r-1",
        "ResourceType":"Custom::Migrations","LogicalResourceId":"Migrations",
        "ResourceProperties":{"ServiceToken":"arn:aws:lambda:eu-central-1:123456789012:function:migrate"}}"#;

    #[test]
    fn an_answer_repeats_what_identifies_the_request() {
        let event = StackEvent::read(CREATE).expect("an event");
        let answer: serde_json::Value = serde_json::from_str(&event.answer(Ok(7))).expect("JSON");
        assert_eq!(answer["Status"], "SUCCESS");
        assert_eq!(answer["PhysicalResourceId"], PHYSICAL_RESOURCE_ID);
        assert_eq!(answer["RequestId"], "r-1");
        assert_eq!(answer["LogicalResourceId"], "Migrations");
        assert_eq!(answer["StackId"], "arn:aws:cloudformation:eu-central-1:123456789012:stack/push/1");
        assert_eq!(answer["Data"]["Version"], 7);
        assert!(!format!("{event:?}").contains("canary"), "the address is a credential");
    }

    #[test]
    fn a_failure_has_a_reason_that_fits() {
        let event = StackEvent::read(CREATE).expect("an event");
        let answer = event.answer(Err("ä".repeat(5000)));
        assert!(answer.len() < 4096);
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["Status"], "FAILED");
        assert!(answer["Reason"].as_str().is_some_and(|reason| reason.starts_with("äää")));
    }

    #[test]
    fn anything_without_an_address_is_a_direct_invocation() {
        for direct in ["null", "{}", "[]", "3", r#"{"RequestType":"Create"}"#, r#"{"ResponseURL":3}"#] {
            assert!(StackEvent::read(direct).is_none(), "{direct}");
        }
        assert!(StackEvent::read(r#"{"ResponseURL":"http://127.0.0.1/"}"#).is_some());
    }
}

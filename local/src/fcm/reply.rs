//! Answers only FCM gives.

use bytes::Bytes;
use serde_json::{Value, json};

use crate::provider::Reply;

impl Reply {
    /// FCM: a refusal that names no `FcmError`.
    pub fn without_detail(status: u16) -> Self {
        Self::raw(status, error(status, "", &json!([]))).because(canonical(status))
    }

    /// FCM: what is said of a token that is none, in the exact words.
    pub fn invalid_token() -> Self {
        let message = "The registration token is not a valid FCM registration token";
        let details = json!([fcm_error("INVALID_ARGUMENT")]);
        Self::raw(400, error(400, message, &details)).because("INVALID_ARGUMENT")
    }

    /// FCM: a fault of one field.
    pub fn violation(field: &str, description: &str) -> Self {
        let violations = json!([{"field": field, "description": description}]);
        let details = json!([{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations}]);
        Self::raw(400, error(400, description, &details)).because("INVALID_ARGUMENT")
    }

    /// FCM: what Google's front end says where nothing is.
    pub fn nothing_there() -> Self {
        Self::raw(404, "<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>").because("html")
    }
}

/// Google's body for an error code of FCM's.
pub(super) fn body(status: u16, code: &str) -> Bytes {
    error(status, "", &json!([fcm_error(code)])).into()
}

fn error(status: u16, message: &str, details: &Value) -> String {
    json!({"error": {"code": status, "message": message, "status": canonical(status), "details": details}}).to_string()
}

fn fcm_error(code: &str) -> Value {
    json!({"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code})
}

/// Google's name for a status.
fn canonical(status: u16) -> &'static str {
    match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        500 => "INTERNAL",
        503 => "UNAVAILABLE",
        _ => "UNKNOWN",
    }
}

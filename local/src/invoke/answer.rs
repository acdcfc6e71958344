//! The answer to a synchronous invocation. What goes wrong in the function is an answer too: status 200, a header that
//! says so, and the error as the payload.

use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::VERSION;
use super::refusal::Refusal;
use crate::runtime_api::Invocation;

const FUNCTION_ERROR: HeaderName = HeaderName::from_static("x-amz-function-error");
const EXECUTED_VERSION: HeaderName = HeaderName::from_static("x-amz-executed-version");
const LOG_RESULT: HeaderName = HeaderName::from_static("x-amz-log-result");
const TRACE: HeaderName = HeaderName::from_static("x-amzn-trace-id");

/// `log` is the end of the log, in Base64, where the caller asked for it.
pub(super) fn response(
    invocation: Invocation,
    request_id: &str,
    timeout: Duration,
    log: Option<String>,
    trace: String,
) -> Result<Response, Refusal> {
    let mut headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (EXECUTED_VERSION, HeaderValue::from_static(VERSION)),
    ]);
    for (name, text) in [(LOG_RESULT, log), (TRACE, Some(trace))] {
        if let Some(value) = text.and_then(|text| HeaderValue::try_from(text).ok()) {
            headers.insert(name, value);
        }
    }
    let (kind, message) = match invocation {
        Invocation::Ok(payload) => return Ok((headers, payload).into_response()),
        Invocation::Throttled => return Err(Refusal::Throttled),
        Invocation::FunctionError { kind, message } => (kind, message),
        Invocation::TimedOut => {
            let seconds = timeout.as_secs_f64();
            let message = format!("RequestId: {request_id} Error: Task timed out after {seconds:.2} seconds");
            ("Sandbox.Timedout".to_owned(), message)
        }
        Invocation::Crashed { status } => {
            let message = format!("RequestId: {request_id} Error: Runtime exited with error: {status}");
            ("Runtime.ExitError".to_owned(), message)
        }
        Invocation::InitError { message } => ("Runtime.InitError".to_owned(), message),
    };
    // An error that a runtime reports is `Unhandled` like the others: `Handled` is what some managed runtimes once said.
    headers.insert(FUNCTION_ERROR, HeaderValue::from_static("Unhandled"));
    Ok((headers, json!({"errorType": kind, "errorMessage": message}).to_string()).into_response())
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::http::StatusCode;
    use serde_json::Value;

    use super::*;

    #[tokio::test]
    async fn whatever_ends_an_invocation_early_is_an_error_of_the_function() {
        for (invocation, kind) in [
            (Invocation::TimedOut, "Sandbox.Timedout"),
            (Invocation::Crashed { status: "exit status: 1".to_owned() }, "Runtime.ExitError"),
            (Invocation::InitError { message: "no database".to_owned() }, "Runtime.InitError"),
        ] {
            let answer = response(invocation, "id", Duration::from_secs(3), None, "Root=1".to_owned()).unwrap();
            assert_eq!(answer.status(), StatusCode::OK);
            assert_eq!(answer.headers()[FUNCTION_ERROR], "Unhandled");
            let document: Value = serde_json::from_slice(&to_bytes(answer.into_body(), 1024).await.unwrap()).unwrap();
            assert_eq!(document["errorType"], kind);
        }
    }

    #[test]
    fn a_busy_function_is_no_error_of_the_function() {
        let throttled = response(Invocation::Throttled, "id", Duration::from_secs(3), None, String::new());
        assert_eq!(throttled.unwrap_err(), Refusal::Throttled);
    }
}

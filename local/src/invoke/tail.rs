//! The end of an invocation's log.

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::runtime_api::Function;

/// What Lambda answers of it.
const LONGEST: usize = 4 * 1024;
/// An instance's last lines may arrive after its answer; one that wrote nothing is not waited for longer.
const LAST_LINES: Duration = Duration::from_millis(250);

/// The end of the log of one invocation, in Base64: the lines that name it.
pub(super) async fn of(function: &Function, request_id: &str) -> String {
    let output = function.output();
    output.wait_for(LAST_LINES, |line| line.text.contains(request_id)).await;
    let lines = output.lines().into_iter().filter(|line| line.text.contains(request_id));
    let log: String = lines.map(|line| line.text + "\n").collect();
    BASE64_STANDARD.encode(&log.as_bytes()[log.len().saturating_sub(LONGEST)..])
}

//! A product that sends through Pushwake, and listens to its feedback.
//!
//! ```text
//! pushwake-example send DEVICES EVENT     # one event for every device of the file DEVICES
//! pushwake-example feedback DEVICES       # forgets what a provider calls dead, until it is stopped
//! ```
//!
//! The same code runs on AWS and against `pushwake up`: `AWS_ENDPOINT_URL` says where. `PUSHWAKE_FUNCTION`
//! (`pushwake-enqueue`) is the function, `PUSHWAKE_FEEDBACK` the URL of the feedback queue.

mod aws;
mod devices;
mod feedback;
mod send;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["send", devices, event] => send::run(Path::new(devices), event).await,
        ["feedback", devices] => feedback::run(Path::new(devices)).await,
        _ => {
            eprintln!("usage: pushwake-example send DEVICES EVENT | feedback DEVICES");
            Ok(ExitCode::from(2))
        }
    }
}

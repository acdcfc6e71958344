//! Sends one event, and acts on what is answered for each device.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use aws_sdk_lambda::Client;
use aws_sdk_lambda::primitives::Blob;
use pushwake::contract::{CallError, Device, DeviceResult, Notification, Request, Response, Status};
use pushwake::limits::DEVICES;

use crate::{aws, devices};

/// Calls before a device is left for another time.
const ATTEMPTS: u32 = 5;

pub async fn run(path: &Path, event: &str) -> Result<ExitCode, Box<dyn Error>> {
    let client = Client::new(&aws::config().await);
    let mut code = ExitCode::SUCCESS;
    for devices in devices::read(path)?.chunks(DEVICES) {
        for (device, result) in send(&client, event, devices.to_vec()).await? {
            if !act_on(&device, &result, path)? {
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// One event for up to 500 devices. A device that is rate limited is tried again with the same event: what was queued
/// before answers `duplicate`, so nothing is ever sent twice.
async fn send(
    client: &Client,
    event: &str,
    mut devices: Vec<Device>,
) -> Result<Vec<(Device, DeviceResult)>, Box<dyn Error>> {
    let mut done = Vec::new();
    for attempt in 1.. {
        let mut request = Request::new("example-rust", event, devices);
        request.notification = Notification {
            title: Some("Your order is on its way".into()),
            body: Some("It arrives tomorrow between 9 and 12.".into()),
            collapse_id: Some(event.into()),
            ..Notification::default()
        };
        let response = enqueue(client, &request).await?;
        let answered = request.devices.into_iter().zip(response.results);
        let (later, now): (Vec<_>, Vec<_>) =
            answered.partition(|(_, result)| result.status == Status::RateLimited && attempt < ATTEMPTS);
        done.extend(now);
        if later.is_empty() {
            break;
        }
        devices = later.into_iter().map(|(device, _)| device).collect();
        back_off(attempt).await;
    }
    Ok(done)
}

/// Calls until there is an answer. Whenever it is not known what became of a call, the same call is made again. The SDK
/// does so by itself where Lambda did not take the call.
async fn enqueue(client: &Client, request: &Request) -> Result<Response, Box<dyn Error>> {
    let function = std::env::var("PUSHWAKE_FUNCTION").unwrap_or_else(|_| "pushwake-enqueue".into());
    let payload = serde_json::to_vec(request)?;
    for attempt in 1.. {
        let call = client.invoke().function_name(&function).qualifier("live").payload(Blob::new(payload.clone()));
        let answer = match Box::pin(call.send()).await {
            Ok(answer) => answer,
            Err(error) if attempt == ATTEMPTS => return Err(error.into()),
            Err(_) => {
                back_off(attempt).await;
                continue;
            }
        };
        let payload = answer.payload().map(AsRef::as_ref).unwrap_or_default();
        if answer.function_error().is_none() {
            return Ok(serde_json::from_slice(payload)?);
        }
        let error: CallError = serde_json::from_slice(payload)?;
        if error.is_final() || attempt == ATTEMPTS {
            return Err(format!("{}: {}", error.error_type, error.error_message).into());
        }
        back_off(attempt).await;
    }
    unreachable!("the last attempt returns")
}

/// Whether all is well with a device.
fn act_on(device: &Device, result: &DeviceResult, path: &Path) -> Result<bool, Box<dyn Error>> {
    let (field, reason) = (result.field.as_deref().unwrap_or_default(), result.reason.as_deref().unwrap_or_default());
    let word = serde_json::to_value(result.status)?;
    println!("{} {} {field} {reason}", device.id.as_str(), word.as_str().unwrap_or_default());
    Ok(match result.status {
        // All is well. Of one that expired, decide whether the news is worth a new event.
        Status::Queued | Status::Duplicate | Status::Dismissed | Status::Expired => true,
        // Its provider called the token dead: forget it, and wait for the app to register again.
        Status::Unregistered => {
            devices::forget(path, |one| one.id == device.id && one.app == device.app && one.token == device.token)?;
            true
        }
        // Faults of ours: `conflict` is another content under an event id that was used, `invalid` names its field.
        // `rate_limited` is for the caller's own retry or dead letters by now; the rest a newer revision says.
        Status::Conflict | Status::Invalid | Status::RateLimited | Status::Other => false,
    })
}

/// Full jitter, so that callers who failed together don't come back together.
async fn back_off(attempt: u32) {
    let longest = Duration::from_millis(200) * 2_u32.pow(attempt);
    tokio::time::sleep(longest.mul_f64(rand::random())).await;
}

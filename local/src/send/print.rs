//! The results, for a person or for a program.

use std::fmt::Write as _;

use pushwake::contract::{DeviceResult, Response, WakeStatus};
use serde_json::json;

use super::call::{Ended, Peek, Placed};
use super::tally::{is_well, word};
use crate::terminal::{Paint, Tone, width};

pub(super) struct Print {
    json: bool,
    paint: Paint,
}

impl Print {
    pub(super) fn new(json: bool) -> Self {
        Self { json, paint: Paint::of_stdout() }
    }

    /// What became of one request: one line of JSON, or one line for itself and one for each device.
    pub(super) fn request(&self, placed: &Placed, ended: &Ended) -> String {
        if self.json { line(placed, ended) } else { self.lines(placed, ended) }
    }

    fn lines(&self, placed: &Placed, ended: &Ended) -> String {
        let place = self.paint.paint(&placed.place(), Tone::Faint);
        let peek = placed.peek();
        let event = peek.event.as_deref().unwrap_or("?");
        match ended {
            Ended::Answered(response) => format!("{place}  {event}\n{}", self.devices(response, &peek)),
            Ended::Malformed(reason) => format!("{place}  {}\n", self.paint.paint(reason, Tone::Bad)),
            Ended::Failed(error) => format!("{place}  {event}  {}\n", self.paint.paint(&error.to_string(), Tone::Bad)),
        }
    }

    fn devices(&self, response: &Response, peek: &Peek) -> String {
        let app = |result: &DeviceResult| result.app.as_ref().map_or("?", |app| app.as_str()).to_owned();
        let device = |result: &DeviceResult| result.device.as_ref().map_or("?", |device| device.as_str()).to_owned();
        let apps: Vec<_> = response.results.iter().map(app).collect();
        let devices: Vec<_> = response.results.iter().map(device).collect();
        let wide = (width(apps.iter().map(String::as_str)), width(devices.iter().map(String::as_str)));
        let dismissing = peek.kind.as_deref() == Some("dismiss");
        let mut lines = String::new();
        for ((result, app), device) in response.results.iter().zip(&apps).zip(&devices) {
            let tone = match result.status {
                pushwake::contract::Status::Duplicate => Tone::Faint,
                status if is_well(status, dismissing) => Tone::Good,
                _ => Tone::Bad,
            };
            let status = self.paint.pad(word(result.status), "rate_limited".len(), tone);
            let reason = [&result.field, &result.reason].into_iter().flatten().cloned().collect::<Vec<_>>().join(": ");
            let line = format!("  {status}  {app:<0$}  {device:<1$}  {reason}", wide.0, wide.1);
            let _ = writeln!(lines, "{}", line.trim_end());
        }
        if response.wake == WakeStatus::Failed {
            let _ = writeln!(lines, "  no wake was posted: schedule finds it within a minute");
        }
        lines
    }
}

fn line(placed: &Placed, ended: &Ended) -> String {
    let mut line = json!({"file": placed.file, "line": placed.item.line});
    match ended {
        Ended::Answered(response) => line["response"] = json!(response),
        Ended::Malformed(reason) => line["error"] = json!({"kind": "malformed", "message": reason}),
        Ended::Failed(error) => line["error"] = json!({"kind": error.word(), "message": error.to_string()}),
    }
    format!("{line}\n")
}

//! One device, for a person.

use std::fmt::Write as _;

use pushwake::operator::DeviceStory;

use super::ago::when;
use super::event::{pauses, place, standings};
use crate::terminal::{Paint, Tone};

pub(super) fn lines(story: &DeviceStory, paint: Paint) -> String {
    let (device, now) = (story.device.as_str(), story.time);
    if story.events.is_empty() && story.lanes.is_empty() && story.dead_tokens.is_empty() {
        return format!("No device {device} is known: receipts are kept for 24 h.\n");
    }
    let mut lines = format!("device {device}\n");
    if story.lanes.is_empty() {
        lines.push_str("  nothing is queued\n");
    }
    for lane in &story.lanes {
        let head = place(&lane.place, now).join(", ");
        let _ = writeln!(lines, "  lane in {}: {} queued, its head {head}", lane.app.as_str(), lane.pending);
    }
    for dead in &story.dead_tokens {
        let said = format!("  a token of {} died {}: {}", dead.app.as_str(), when(dead.time, now), dead.reason);
        let _ = writeln!(lines, "{}", paint.paint(&said, Tone::Odd));
    }
    let name = |standing: &pushwake::operator::Standing| {
        let (source, event, app) = (standing.source.as_str(), standing.event.as_str(), standing.app.as_str());
        format!("{app}  {source}  {event}")
    };
    let names: Vec<_> = story.events.iter().map(name).collect();
    // said of the device already
    let mut events = story.events.clone();
    for standing in &mut events {
        standing.dead_token = None;
    }
    lines.push_str(&standings(&events, &names, now, paint));
    if story.cut {
        let _ = writeln!(lines, "  and more: only the newest {} events are shown", story.events.len());
    }
    lines.push_str(&pauses(&story.pauses, now, paint));
    lines
}

//! One event and its devices, for a person.

use std::fmt::Write as _;

use pushwake::operator::{EventStory, Pause, Standing, State, WhereInLane};
use time::OffsetDateTime;

use super::ago::when;
use crate::terminal::{Paint, Tone, width};

pub(super) fn lines(story: &EventStory, paint: Paint) -> String {
    let event = story.event.as_str();
    if story.devices.is_empty() {
        return format!("No event {event} is known: receipts are kept for 24 h.\n");
    }
    let mut lines = String::new();
    for of_source in story.devices.chunk_by(|one, next| one.source == next.source) {
        let _ = writeln!(lines, "event {event} of {}", of_source[0].source.as_str());
        let names = of_source.iter().map(|standing| (standing.app.as_str(), standing.device.as_str()));
        let names: Vec<_> = names.map(|(app, device)| format!("{app}  {device}")).collect();
        lines.push_str(&standings(of_source, &names, story.time, paint));
    }
    if story.cut {
        let _ = writeln!(lines, "  and more: only the first {} devices are shown", story.devices.len());
    }
    lines.push_str(&pauses(&story.pauses, story.time, paint));
    lines
}

/// One line for each, under its name.
pub(super) fn standings(standings: &[Standing], names: &[String], now: OffsetDateTime, paint: Paint) -> String {
    let wide = width(names.iter().map(String::as_str));
    let mut lines = String::new();
    for (standing, name) in standings.iter().zip(names) {
        let (word, tone) = match standing.state {
            State::InFlight => ("in flight", Tone::Good),
            State::Queued => ("queued", Tone::Good),
            State::Finished => ("finished", Tone::Plain),
            State::Dismissed => ("dismissed", Tone::Odd),
            State::Other => ("unknown", Tone::Odd),
        };
        let word = paint.pad(word, "in flight".len(), tone);
        let _ = writeln!(lines, "{}", format!("  {word}  {name:<wide$}  {}", more(standing, now)).trim_end());
    }
    lines
}

fn more(standing: &Standing, now: OffsetDateTime) -> String {
    let mut said = Vec::new();
    if let Some(waiting) = &standing.waiting {
        if waiting.kind == "dismiss" {
            said.push("the silent push of its dismissal".to_owned());
        }
        let head = place(&waiting.lane, now);
        match waiting.behind {
            0 => said.extend(["head of its lane".to_owned()].into_iter().chain(head)),
            n => said.push(format!("behind {n} in its lane (its head: {})", head.join(", "))),
        }
        said.push(format!("expires {}", when(waiting.expires_at, now)));
    }
    if let Some(at) = standing.dismissed_at {
        said.push(format!("dismissed {}", when(at, now)));
    }
    if let Some(until) = standing.duplicate_until {
        let left = when(until, now);
        said.push(format!("a duplicate if sent again, for {}", left.trim_start_matches("in ")));
    }
    if let Some(dead) = &standing.dead_token {
        said.push(format!("a token died {}: {}", when(dead.time, now), dead.reason));
    }
    said.join(", ")
}

/// How a lane's head stands.
pub(super) fn place(lane: &WhereInLane, now: OffsetDateTime) -> Vec<String> {
    let mut said = Vec::new();
    match (lane.leased_until, lane.due_at) {
        (Some(until), _) => said.push(format!("leased, ends {}", when(until, now))),
        (None, Some(due)) => said.push(format!("due {}", when(due, now))),
        (None, None) => {}
    }
    if lane.attempts > 0 {
        said.push(format!("attempt {}", lane.attempts));
    }
    if lane.unanswered > 0 {
        said.push(format!("{} without an answer", lane.unanswered));
    }
    if let Some(until) = lane.rest_until {
        said.push(format!("its provider asked for rest, ends {}", when(until, now)));
    }
    said
}

pub(super) fn pauses(pauses: &[Pause], now: OffsetDateTime, paint: Paint) -> String {
    let mut lines = String::new();
    for pause in pauses {
        let until = if pause.until > now {
            format!("tried again {}", when(pause.until, now))
        } else {
            "is being tried".to_owned()
        };
        let since = pause.since.map(|since| format!(" since {}", when(since, now))).unwrap_or_default();
        let said = format!("{} is paused{since}: {}; {until}", pause.app.as_str(), pause.reason);
        let _ = writeln!(lines, "{}", paint.paint(&said, Tone::Bad));
    }
    lines
}

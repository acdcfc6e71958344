//! What became of attempts.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::frame::{self, table};
use super::text::{at, event_link, grouped, hash_link, millis, outcome};
use crate::page::line::Attempt;
use crate::page::log::Log;

/// Attempts that are shown, and failed ones that are shown however many succeeded since.
const SHOWN: usize = 12;

pub(super) fn card(log: &Log) -> Markup {
    let latest = || log.attempts.iter().rev();
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for attempt in latest() {
        *counts.entry((named(attempt), attempt.reason.as_deref().unwrap_or_default())).or_default() += 1;
    }
    let failed: Vec<_> = latest().filter(|attempt| !attempt.is_delivered()).take(SHOWN).cloned().collect();
    let all: Vec<_> = latest().take(SHOWN).cloned().collect();
    let content = html! {
        ul.counts {
            @for ((name, reason), n) in &counts {
                li { (outcome(name)) " " @if !reason.is_empty() { span.reason { (reason) } " " } b { (grouped(*n)) } }
            }
        }
        (of(&all, "Nothing was attempted yet.", by_hash))
        @if !failed.is_empty() { h3 { "The last that were not delivered" } (of(&failed, "", by_hash)) }
    };
    frame::card(
        "outcomes",
        "Last outcomes",
        &html! { "counts of the last " (grouped(log.attempts.len() as u64)) },
        &content,
    )
}

/// A table of attempts; `device` shows the device of each.
pub(super) fn of(attempts: &[Attempt], none: &str, device: impl Fn(&Attempt) -> Markup) -> Markup {
    let rows: Vec<_> = attempts.iter().map(|attempt| row(attempt, &device(attempt))).collect();
    table(&["At", "Outcome", "Reason", "Attempt", "Event", "Device", "App", "Age", "Send"], &rows, none)
}

/// The device as a line of the log names it.
pub(super) fn by_hash(attempt: &Attempt) -> Markup {
    hash_link(&attempt.app, &attempt.device)
}

fn row(attempt: &Attempt, device: &Markup) -> Markup {
    html! {
        td { (at(attempt.at)) }
        td { (outcome(named(attempt))) }
        td.reason.blank[attempt.reason.is_none()] { (attempt.reason.as_deref().unwrap_or("–")) }
        td.n data-label="attempt" { (attempt.number) }
        td.id.blank[attempt.event.is_none()] {
            @if let Some(event) = &attempt.event { (event_link(None, event)) } @else { "–" }
        }
        td.id { (device) }
        td { (attempt.app) }
        td.n data-label="age" { (millis(attempt.age_ms)) }
        td.n.blank[attempt.send_ms.is_none()] data-label="send" { (millis(attempt.send_ms)) }
    }
}

fn named(attempt: &Attempt) -> &str {
    attempt.outcome.as_deref().unwrap_or("left")
}

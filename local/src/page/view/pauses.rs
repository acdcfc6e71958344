//! The apps, and the pauses of those that have one.

use maud::{Markup, html};

use super::frame;
use super::text::{at, from_now, grouped, seconds};
use crate::page::sample::{OfApp, Sample};

/// What stands above everything while an app is paused.
pub(super) fn banner(apps: &[OfApp]) -> Markup {
    html! {
        @for app in apps {
            @if let Some(until) = app.pause.until {
                p.banner.warn.pause {
                    b { (app.app) } " is paused: " b { (app.pause.reason.as_deref().unwrap_or("no reason")) } ", "
                    @if app.pause.probing == Some(true) { "its time is over, and one probe asks the provider again" }
                    @else { "until " (at(until)) " (" (from_now(until)) ")" }
                    ", step " (app.pause.step.unwrap_or_default())
                    @if let Some(since) = app.pause.paused_at { ", since " (at(since)) }
                    ". " (grouped(app.queued.max(0).cast_unsigned())) " wait."
                }
            }
        }
    }
}

/// One row for each app.
pub(super) fn table(apps: &[String], last: Option<&Sample>) -> Markup {
    let row = |name: &String| {
        let app = last.and_then(|sample| sample.of(name));
        let n = |amount: fn(&OfApp) -> i64| grouped(app.map_or(0, amount).max(0).cast_unsigned());
        html! {
            th scope="row" { (name) }
            td {
                @match app {
                    Some(app) if app.pause.until.is_some() => { span.pill.warn { "paused" } }
                    Some(app) if app.queued > 0 => { span.pill.busy { "busy" } }
                    _ => { span.pill.calm { "idle" } }
                }
            }
            td.n data-label="queued" { (n(|app| app.queued)) }
            td.n data-label="due" { (n(|app| app.due)) }
            td.n data-label="in flight" { (n(|app| app.in_flight)) }
            td.n data-label="oldest due" { (seconds(app.map_or(0.0, |app| app.oldest))) }
            td.n data-label="next due" { @if let Some(coming) = app.and_then(|app| app.coming) { "in " (seconds(coming)) } @else { "–" } }
        }
    };
    let rows: Vec<_> = apps.iter().map(row).collect();
    frame::table(&["App", "", "Queued", "Due", "In flight", "Oldest due", "Next due"], &rows, "No apps.")
}

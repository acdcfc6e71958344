//! The drains that run, and what the last ones did.

use maud::{Markup, html};
use pushwake::limits::WINDOW;

use super::frame::{self, table};
use super::text::{at, grouped};
use crate::page::line::Drained;
use crate::page::sample::OfApp;
use crate::page::watch::Now;

/// Ended drains that are shown.
const SHOWN: usize = 8;

pub(super) fn card(now: &Now<'_>, apps: &[OfApp]) -> Markup {
    let in_flight: i64 = apps.iter().map(|app| app.in_flight).sum();
    let rows: Vec<_> = now.log.drains.iter().rev().take(SHOWN).map(row).collect();
    let content = html! {
        div.slots role="img" aria-label={ (now.drains) " of " (now.most_drains) " drains run" } {
            @for slot in 0..now.most_drains { span.slot.on[slot < now.drains] {} }
        }
        p.muted {
            (now.drains) " of " (now.most_drains) " run, " (grouped(in_flight.max(0).cast_unsigned()))
            " sends in flight of " (WINDOW) " in each. Wakes: " (now.wakes.visible) " waiting, "
            (now.wakes.in_flight) " taken, " (now.wakes.delayed) " for later."
        }
        (table(&["Ended", "By", "Peak of its window", "Claimed", "Delivered", "Retried"], &rows, "None has ended yet."))
    };
    frame::card("drains", "Drains", &html! { "the last that ended" }, &content)
}

fn row(drained: &Drained) -> Markup {
    html! {
        td { (at(drained.at)) }
        td { (drained.ended_by.replace('_', " ")) @if drained.hop > 0 { small.muted { " hop " (drained.hop) } } }
        td { meter min="0" max=(WINDOW) value=(drained.in_flight_peak) {} " " (drained.in_flight_peak) }
        td.n data-label="claimed" title={ (drained.claims) " claims" } { (grouped(drained.claimed)) }
        td.n data-label="delivered" { (grouped(drained.delivered)) }
        td.n data-label="retried" { (grouped(drained.retried)) }
    }
}

//! The queues: wakes that were given up, and feedback that nobody has read.

use maud::{Markup, html};
use pushwake::wake::Wake;

use super::frame::{self, table};
use super::text::{grouped, seconds};
use crate::page::watch::Now;
use crate::sqs::Peeked;
use crate::stack::DEAD_WAKES;

pub(super) fn card(now: &Now<'_>) -> Markup {
    let rows: Vec<_> = now.dead_wakes.iter().map(row).collect();
    let content = html! {
        p.muted {
            (grouped(now.dead.total() as u64)) " in " code { (DEAD_WAKES) } ". What they stood for is not lost: the schedule \
            wakes drains for whatever Postgres holds. Feedback that nobody has read: " (grouped(now.feedback.total() as u64)) "."
        }
        (table(&["Message", "Says", "Received", "Age"], &rows, "No wake was given up."))
    };
    frame::card("dead", "Dead letters", &html! { "wakes that were received too often" }, &content)
}

/// What it says is told only where it is a wake: anything else could hold anything.
fn row(letter: &Peeked) -> Markup {
    html! {
        td.mono { (letter.id) }
        td {
            @match Wake::read(&letter.body) {
                Some(wake) => { (format!("{:?}", wake.why).to_lowercase()) ", hop " (wake.hop) }
                None => { "no wake of ours, " (letter.body.len()) " bytes" }
            }
        }
        td.n data-label="received" { (letter.receives) " times" }
        td.n data-label="age" { (seconds(letter.age.as_secs_f64())) }
    }
}

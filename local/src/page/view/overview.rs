//! The overview: the queue over time, and everything that bears on it now.

use maud::{Markup, html};
use time::OffsetDateTime;
use tokio::time::Instant;

use super::frame::{card, page};
use super::text::{at, count, grouped, seconds};
use super::{drains, letters, outcomes, pauses};
use crate::page::chart::{Chart, Series};
use crate::page::sample::{OfApp, Sample};
use crate::page::watch::{KEPT, Now};

/// Colours there are for apps; further apps begin again.
const COLOURS: usize = 6;
/// Seconds that charts show of a stack that is younger than all they can show.
const SPANS: [f64; 2] = [60.0, 120.0];

/// Everything at a glance.
pub(in crate::page) fn overview(now: &Now<'_>) -> Markup {
    let last = now.samples.back();
    let apps = last.map_or(&[][..], |sample| &sample.apps);
    let live = html! {
        @if let Some(fault) = now.fault { p.banner.bad { (fault) } }
        (pauses::banner(apps))
        (tiles(now, apps))
        section.charts { (charts(now)) }
        div.columns {
            div {
                (card("apps", "Apps", &html! {}, &pauses::table(&now.apps, last)))
                (letters::card(now))
            }
            (drains::card(now, apps))
        }
        (outcomes::card(now.log))
    };
    page("Overview", &state(now, apps), &live)
}

fn state(now: &Now<'_>, apps: &[OfApp]) -> Markup {
    let (queued, paused) = (sum(apps, |app| app.queued), apps.iter().filter(|app| app.pause.until.is_some()).count());
    html! {
        span #state {
            @if now.fault.is_some() { span.pill.bad { "no database" } }
            @else if paused > 0 { span.pill.warn { (paused) " paused" } }
            @else if queued > 0 { span.pill.busy { (grouped(queued)) " queued" } }
            @else { span.pill.good { "all quiet" } }
            " " small.muted { (at(OffsetDateTime::now_utc())) " UTC" }
        }
    }
}

fn tiles(now: &Now<'_>, apps: &[OfApp]) -> Markup {
    let oldest = apps.iter().filter(|app| app.pause.until.is_none()).map(|app| app.oldest).fold(0.0, f64::max);
    let tile = |name: &str, value: String, about: String, class: &str| {
        html! { div class={ "tile " (class) } { span { (name) } b { (value) } small { (about) } } }
    };
    let dead = now.dead.total();
    html! {
        section.tiles {
            (tile("Queued", grouped(sum(apps, |app| app.queued)), format!("{} due now", grouped(sum(apps, |app| app.due))), ""))
            (tile("Oldest due", seconds(oldest), "of apps that are not paused".to_owned(), ""))
            (tile("In flight", grouped(sum(apps, |app| app.in_flight)),
                format!("in {} of {} drains", now.drains, now.most_drains), ""))
            (tile("Delivered", grouped(now.log.delivered), format!("{} other outcomes", grouped(now.log.undelivered)), ""))
            (tile("Dead letters", grouped(dead as u64), "wakes given up".to_owned(), if dead > 0 { "bad" } else { "" }))
        }
    }
}

fn charts(now: &Now<'_>) -> Markup {
    let of_app = |amount: fn(&OfApp) -> f64| {
        let series = |(n, app): (usize, &String)| Series {
            name: app.clone(),
            class: format!("c{}", n % COLOURS),
            points: points(now, |sample| sample.of(app).map_or(0.0, amount)),
        };
        now.apps.iter().enumerate().map(series).collect::<Vec<_>>()
    };
    let seen = now.samples.front().map_or(0.0, |first| first.at.elapsed().as_secs_f64());
    let span = SPANS.into_iter().find(|&span| seen <= span).unwrap_or(KEPT as f64);
    let chart =
        |title, about, series, text: fn(f64) -> String, least| Chart { title, about, series, span, text, least }.draw();
    html! {
        (chart("Queued", "notifications, per app", of_app(|app| app.queued as f64), count, 4.0))
        (chart("Oldest due", "age of what could be sent, per app", of_app(|app| app.oldest), seconds, 1.0))
        (chart("In flight", "heads leased by a drain, per app", of_app(|app| app.in_flight as f64), count, 4.0))
        (chart("Outcomes", "per second", rates(now), count, 4.0))
    }
}

/// Attempts a second, from one sample to the next.
fn rates(now: &Now<'_>) -> Vec<Series> {
    let rate = |name: &str, class: &str, all: fn(&Sample) -> u64| {
        let pairs = now.samples.iter().zip(now.samples.iter().skip(1));
        let point = |(before, sample): (&Sample, &Sample)| {
            let passed = (sample.at - before.at).as_secs_f64().max(0.1);
            (sample.at.elapsed().as_secs_f64(), all(sample).saturating_sub(all(before)) as f64 / passed)
        };
        Series { name: name.to_owned(), class: class.to_owned(), points: pairs.map(point).collect() }
    };
    vec![rate("delivered", "good", |sample| sample.delivered), rate("other", "warn", |sample| sample.undelivered)]
}

fn points(now: &Now<'_>, amount: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    let at = Instant::now();
    now.samples.iter().map(|sample| ((at - sample.at).as_secs_f64(), amount(sample))).collect()
}

fn sum(apps: &[OfApp], amount: impl Fn(&OfApp) -> i64) -> u64 {
    apps.iter().map(amount).sum::<i64>().try_into().unwrap_or_default()
}

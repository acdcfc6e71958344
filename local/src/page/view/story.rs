//! The story of one event or one device: when it was queued, where it stands, what was tried, what is left.

use std::collections::BTreeMap;

use maud::{Markup, html};
use pushwake::function::device_hash;
use pushwake::operator::{DeadVerdict, DeviceStory, EventStory, Pause, Standing, State, WhereInLane};

use super::frame::{card, page, table};
use super::outcomes;
use super::text::{at, device_link, event_link, from_now, grouped, outcome, until_then};
use crate::page::ask::Story;
use crate::page::line::{Attempt, Call};

/// One event, with each of its devices.
pub(in crate::page) fn event(story: &Story<EventStory>) -> Markup {
    let EventStory { event, devices, pauses, cut, .. } = &story.now;
    let live = html! {
        h1 { small { "Event " } (event.as_str()) }
        (paused(pauses))
        (summary(devices, *cut))
        (standings(story, devices, "Device", |standing| html! {
            (device_link(&standing.app, &standing.device))
            small.muted { " " (standing.app.as_str()) " · " (standing.source.as_str()) }
        }, "Nobody knows this event: it was never queued, or longer ago than is remembered."))
        (told(story, devices))
    };
    page(event.as_str(), &html! { span #state {} }, &live)
}

/// One device, with each of its events.
pub(in crate::page) fn device(story: &Story<DeviceStory>) -> Markup {
    let DeviceStory { device, lanes, events, dead_tokens, pauses, cut, .. } = &story.now;
    let lane = |lane: &pushwake::operator::Lane| {
        html! { th scope="row" { (lane.app.as_str()) } td.n data-label="pending" { (lane.pending) } td { (place(&lane.place)) } }
    };
    let lanes: Vec<_> = lanes.iter().map(lane).collect();
    let dead: Vec<_> = dead_tokens.iter().map(dead_token).collect();
    let live = html! {
        h1 { small { "Device " } (device.as_str()) }
        (paused(pauses))
        (summary(events, *cut))
        (card("lanes", "What is left", &html! { "its lanes" }, &table(&["App", "Pending", "Its head"], &lanes, "Nothing waits for it.")))
        @if !dead.is_empty() {
            (card("tokens", "Dead tokens", &html! {}, &table(&["App", "Reason", "Since", "Met by"], &dead, "")))
        }
        (standings(story, events, "Event", |standing| html! {
            (event_link(Some(standing.source.as_str()), standing.event.as_str()))
            small.muted { " " (standing.source.as_str()) " · " (standing.app.as_str()) }
        }, "Nobody knows this device: nothing was queued for it, or longer ago than is remembered."))
        (told(story, events))
    };
    page(device.as_str(), &html! { span #state {} }, &live)
}

fn paused(pauses: &[Pause]) -> Markup {
    html! {
        @for Pause { app, reason, until, .. } in pauses {
            p.banner.warn { b { (app.as_str()) } " is paused: " (reason) ", until " (at(*until)) " (" (from_now(*until)) ")." }
        }
    }
}

fn summary(standings: &[Standing], cut: bool) -> Markup {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for standing in standings {
        *counts.entry(named(standing.state).0).or_default() += 1;
    }
    html! {
        p.muted {
            @for (name, n) in &counts { b { (grouped(*n)) } " " (name) " · " }
            @if cut { "only the first are shown" } @else { "all are shown" }
        }
    }
}

/// One row for each, which begins with the `what` that `name` shows.
fn standings<T>(
    story: &Story<T>,
    standings: &[Standing],
    what: &str,
    name: impl Fn(&Standing) -> Markup,
    none: &str,
) -> Markup {
    let row = |standing: &Standing| {
        let hash = device_hash(&standing.app, &standing.device);
        let is_it =
            |attempt: &&Attempt| attempt.device == hash && attempt.event.as_deref() == Some(standing.event.as_str());
        let last = story.attempts.iter().find(is_it);
        let (state, class) = named(standing.state);
        html! {
            td.id { (name(standing)) }
            td { span class={ "pill " (class) } { (state) } }
            td.blank[last.is_none()] { @if let Some(last) = last {
                (outcome(last.outcome.as_deref().unwrap_or("left"))) " "
                span.reason { (last.reason.as_deref().unwrap_or_default()) } " " small.muted { (at(last.at)) }
            } @else { "–" } }
            td { (left(standing)) }
        }
    };
    // What is not over comes first.
    let (over, left): (Vec<_>, Vec<_>) = standings.iter().partition(|standing| standing.waiting.is_none());
    let rows: Vec<_> = left.into_iter().chain(over).map(row).collect();
    card(
        "standing",
        "Where it stands",
        &html! {},
        &table(&[what, "State", "Last outcome", "What is left"], &rows, none),
    )
}

fn left(standing: &Standing) -> Markup {
    html! {
        @if let Some(waiting) = &standing.waiting {
            (place(&waiting.lane)) ", "
            @if waiting.behind > 0 { (waiting.behind) " before it, " }
            "not before " (at(waiting.send_at)) ", expires " (from_now(waiting.expires_at)) ". "
        }
        @if let Some(until) = standing.duplicate_until { "A repeat is a duplicate " (until_then(until)) ". " }
        @if let Some(dismissed) = standing.dismissed_at { "Dismissed " (at(dismissed)) ". " }
        @if let Some(dead) = &standing.dead_token { "Token dead since " (at(dead.time)) ": " (dead.reason) "." }
    }
}

fn place(lane: &WhereInLane) -> Markup {
    html! {
        @if let Some(due) = lane.due_at { "due " (from_now(due)) ", " }
        (lane.attempts) @if lane.attempts == 1 { " attempt" } @else { " attempts" }
        @if lane.unanswered > 0 { ", " (lane.unanswered) " unanswered" }
        @if let Some(until) = lane.leased_until { ", leased until " (at(until)) }
        @if let Some(until) = lane.rest_until { ", rests until " (at(until)) }
    }
}

fn dead_token(dead: &DeadVerdict) -> Markup {
    html! {
        th scope="row" { (dead.app.as_str()) }
        td.reason { (dead.reason) }
        td { (at(dead.time)) }
        td.id { @if let Some(event) = &dead.event {
            (event_link(dead.source.as_ref().map(pushwake::contract::Source::as_str), event.as_str()))
        } @else { "–" } }
    }
}

/// What the log tells: the calls, and the attempts.
fn told<T>(story: &Story<T>, standings: &[Standing]) -> Markup {
    let call = |call: &Call| {
        html! {
            td { (at(call.at)) }
            td.id { @if let Some(event) = &call.event { (event_link(call.source.as_deref(), event)) } }
            td { (call.source.as_deref().unwrap_or_default()) }
            td { (call.kind.as_deref().unwrap_or_default()) }
            td.n data-label="queued" { (grouped(call.queued)) " of " (grouped(call.devices)) }
        }
    };
    // A line of the log names a device by its hash; those of the story are known.
    let by_hash: BTreeMap<String, &Standing> =
        standings.iter().map(|standing| (device_hash(&standing.app, &standing.device), standing)).collect();
    let named_device = |attempt: &Attempt| match by_hash.get(&attempt.device) {
        Some(Standing { app, device, .. }) => device_link(app, device),
        None => outcomes::by_hash(attempt),
    };
    let calls: Vec<_> = story.calls.iter().map(call).collect();
    html! {
        (card("attempts", "Attempts", &html! { "the latest first, since this stack started" }, &outcomes::of(&story.attempts, "None yet.", named_device)))
        (card("calls", "Calls of enqueue", &html! { "when it was queued" },
            &table(&["At", "Event", "Source", "Kind", "Queued"], &calls, "None since this stack started.")))
    }
}

fn named(state: State) -> (&'static str, &'static str) {
    match state {
        State::InFlight => ("in flight", "busy"),
        State::Queued => ("queued", "warn"),
        State::Finished => ("finished", "calm"),
        State::Dismissed => ("dismissed", "calm"),
        State::Other => ("other", "calm"),
    }
}

//! Amounts, times and names, as the page writes them.

use maud::{Markup, html};
use pushwake::contract::{AppId, DeviceId};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

/// A number of things.
pub(super) fn count(n: f64) -> String {
    if n.fract().abs() > 1e-9 && n < 10.0 { format!("{n:.1}") } else { grouped(n.round().max(0.0) as u64) }
}

/// With a thin space between thousands.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A length of time.
pub(super) fn seconds(n: f64) -> String {
    match n {
        n if n <= 0.0 => "0 s".to_owned(),
        n if n < 1.0 => format!("{:.0} ms", n * 1e3),
        n if n < 10.0 => format!("{n:.1} s"),
        n if n < 120.0 => format!("{n:.0} s"),
        n if n < 7200.0 => format!("{:.0} min", n / 60.0),
        n if n < 36_000.0 => format!("{:.1} h", n / 3600.0),
        n => format!("{:.0} h", n / 3600.0),
    }
}

pub(super) fn millis(n: Option<u64>) -> String {
    n.map(|n| seconds(n as f64 / 1e3)).unwrap_or_default()
}

/// An instant: the time of day, and the whole of it for whoever points there.
pub(super) fn at(time: OffsetDateTime) -> Markup {
    let time = time.to_offset(time::UtcOffset::UTC);
    let short = time.format(format_description!("[hour]:[minute]:[second]")).unwrap_or_default();
    let whole = time.format(&Rfc3339).unwrap_or_default();
    html! { time datetime=(whole) title=(whole) { (short) } }
}

/// How long ago, or ahead.
pub(super) fn from_now(time: OffsetDateTime) -> String {
    let ahead = (time - OffsetDateTime::now_utc()).as_seconds_f64();
    if ahead > 0.0 { format!("in {}", seconds(ahead)) } else { format!("{} ago", seconds(-ahead)) }
}

/// How long something holds yet.
pub(super) fn until_then(time: OffsetDateTime) -> String {
    format!("for {} more", seconds((time - OffsetDateTime::now_utc()).as_seconds_f64()))
}

/// An outcome as a coloured word.
pub(super) fn outcome(name: &str) -> Markup {
    let class = match name {
        "delivered" => "good",
        "rejected" | "unregistered" | "misconfigured" | "poison" | "panicked" => "bad",
        "expired" | "dismissed" => "calm",
        _ => "warn",
    };
    html! { span class={ "pill " (class) } { (name) } }
}

/// A link to an event's story; a log line knows no source.
pub(super) fn event_link(source: Option<&str>, event: &str) -> Markup {
    html! { a href=(query("/event", &[("source", source), ("event", Some(event))])) { (event) } }
}

/// A link to a device's story.
pub(super) fn device_link(app: &AppId, device: &DeviceId) -> Markup {
    let (app, device) = (app.as_str(), device.as_str());
    html! { a href=(query("/device", &[("app", Some(app)), ("device", Some(device))])) { (device) } }
}

/// A link to the story of a device that is known by its hash.
pub(super) fn hash_link(app: &str, hash: &str) -> Markup {
    html! { a.mono href=(query("/device", &[("app", Some(app)), ("hash", Some(hash))])) { (hash) } }
}

fn query(path: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let given = parameters.iter().filter_map(|(name, value)| Some(format!("{name}={}", escaped((*value)?))));
    format!("{path}?{}", given.collect::<Vec<_>>().join("&"))
}

fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        assert_eq!([count(0.0), count(2.5), count(12.4)], ["0", "2.5", "12"]);
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        let times = [0.0, 0.25, 3.21, 61.0, 600.0, 36_000.0].map(seconds);
        assert_eq!(times, ["0 s", "250 ms", "3.2 s", "61 s", "10 min", "10 h"]);
    }

    #[test]
    fn a_link_carries_any_id() {
        assert_eq!(query("/event", &[("source", None), ("event", Some("a&b=ü"))]), "/event?event=a%26b%3D%C3%BC");
    }
}

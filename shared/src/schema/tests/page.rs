//! `docs/contract.md` says something of everything that the schemas name.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::contract::{INVALID_REQUEST, UNAVAILABLE};
use crate::limits;
use crate::schema;

pub(super) fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contract.md");
    std::fs::read_to_string(page).expect("docs/contract.md")
}

/// The names of all members, and all words.
fn names(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                found.extend(properties.keys().cloned());
            }
            found.extend(members.get("const").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| names(member, found));
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

#[test]
fn the_page_of_the_contract_names_every_field_every_word_and_every_error() {
    let page = page();
    let mut found = BTreeSet::from([INVALID_REQUEST, UNAVAILABLE].map(str::to_owned));
    for (_, schema) in schema::all() {
        names(&schema.to_value(), &mut found);
    }
    for name in &found {
        let named = [format!("`{name}`"), format!("\"{name}\":")].iter().any(|name| page.contains(name));
        assert!(named, "docs/contract.md does not say what {name} is");
    }
    assert!(found.len() > 40, "{found:?}");
}

#[test]
fn the_table_of_statuses_has_a_row_for_each() {
    let page = page();
    let response = schema::response().to_value();
    let statuses = response["$defs"]["Status"]["anyOf"].as_array().expect("words");
    let words: Vec<&str> = statuses.iter().filter_map(|status| status["const"].as_str()).collect();
    assert_eq!(words.len(), 8);
    for word in words {
        assert!(page.lines().any(|line| line.starts_with(&format!("| `{word}` |"))), "{word} has no row");
    }
}

#[test]
fn the_limits_of_the_page_are_those_of_the_code() {
    let page = page().split_whitespace().collect::<Vec<_>>().join(" ");
    let hours = |time: std::time::Duration| time.as_secs() / 3600;
    let thousands = |n: usize| format!("{},{:03}", n / 1000, n % 1000);
    for said in [
        format!("one event for up to {} devices", limits::DEVICES),
        format!("| array | 1 to {},", limits::DEVICES),
        format!("1 to {} characters, none of them a control", limits::ID_LENGTH),
        format!("at most {} h ahead", hours(limits::SEND_AHEAD)),
        format!("at most {} h after it is due", hours(limits::LONGEST_LIFE)),
        format!("{} s after it is due", limits::DEFAULT_LIFE.as_secs()),
        format!("APNs: 2 to {} hex digits", limits::APNS_TOKEN_DIGITS),
        format!("FCM: 1 to {} visible ASCII", limits::FCM_TOKEN),
        format!("at most {} characters, of a push service", limits::WEBPUSH_ENDPOINT),
        format!("0 to {};", i32::MAX),
        format!("deeper than {} levels", limits::VALUE_DEPTH),
        format!("at most {} bytes (APNs, FCM)", thousands(limits::APNS_BODY.min(limits::FCM_BODY))),
        format!("or {} (Web Push)", thousands(limits::WEBPUSH_BODY)),
        format!("| {} are pending", limits::DEVICE_PENDING),
        format!("arrives of it within {} h answers", hours(limits::DISMISSAL_KEPT)),
        format!("A receipt is kept for {} h", hours(limits::RECEIPT_KEPT)),
    ] {
        assert!(page.contains(&said), "docs/contract.md does not say: {said}");
    }
}

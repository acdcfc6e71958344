//! `docs/contract.md` says something of everything that the schemas name.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::contract::{INVALID_REQUEST, UNAVAILABLE};
use crate::schema;

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
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contract.md");
    let page = std::fs::read_to_string(page).expect("docs/contract.md");
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
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contract.md");
    let page = std::fs::read_to_string(page).expect("docs/contract.md");
    let response = schema::response().to_value();
    let statuses = response["$defs"]["Status"]["anyOf"].as_array().expect("words");
    let words: Vec<&str> = statuses.iter().filter_map(|status| status["const"].as_str()).collect();
    assert_eq!(words.len(), 8);
    for word in words {
        assert!(page.lines().any(|line| line.starts_with(&format!("| `{word}` |"))), "{word} has no row");
    }
}

//! The templates that are deployed: the built one, and what it takes to make others of it.

use std::path::PathBuf;

use migrate::MIGRATIONS;
use serde_json::{Value, json};

use crate::built;

/// The one alarm on a formula over metrics, which the emulator refuses. A plain one stands in for it.
pub const UNKNOWN: &str = "ExpiredAlarm";

/// The template of a revision whose newest migration is `schema`.
pub fn of_schema(schema: usize) -> PathBuf {
    let mut template = read();
    let version = &mut template["Resources"]["Migration"]["Properties"]["SchemaVersion"];
    assert_eq!(*version, MIGRATIONS.len(), "what `sam build` made is not of this checkout: run .ci/deploy-check");
    *version = schema.into();
    let alarms = template["Resources"].as_object_mut().expect("resources").iter_mut();
    let mut unknown: Vec<_> = alarms.filter(|(_, resource)| !resource["Properties"]["Metrics"].is_null()).collect();
    let (name, alarm) = unknown.pop().expect("an alarm on a formula");
    assert!(name == UNKNOWN && unknown.is_empty(), "{name} and {unknown:?} stand on formulas");
    let alarm = alarm["Properties"].as_object_mut().expect("properties");
    alarm.remove("Metrics");
    alarm.extend(
        [("Namespace", "Pushwake"), ("MetricName", "expired"), ("Statistic", "Sum")]
            .map(|(k, v)| (k.to_owned(), json!(v))),
    );
    alarm.insert("Period".to_owned(), json!(60));
    write(&format!("schema-{schema}.json"), &template)
}

/// The template without any resource but the one that the emulator refuses.
pub fn of_the_unknown() -> PathBuf {
    let mut template = read();
    let unknown = template["Resources"][UNKNOWN].take();
    template["Resources"] = json!({UNKNOWN: unknown});
    template.as_object_mut().expect("a template").remove("Outputs");
    write("unknown.json", &template)
}

fn read() -> Value {
    let file = built().join("template.yaml");
    let text = std::fs::read_to_string(&file).expect("what `sam build` made: run .ci/deploy-check");
    yaml_serde::from_str(&text).expect("YAML with CloudFormation's long tags")
}

/// Beside the built one, whose folders it names.
fn write(name: &str, template: &Value) -> PathBuf {
    let file = built().join(name);
    std::fs::write(&file, template.to_string()).expect("a file beside the template");
    file
}

use serde_json::{Value as Json, json};

use super::*;

fn written(line: Line) -> Vec<Json> {
    let mut text = Vec::new();
    line.write("Pushwake/test", 1_700_000_000_000, &mut text);
    String::from_utf8(text)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

#[test]
fn a_line_of_an_app_and_an_outcome_has_a_directive_for_each_set_of_dimensions() {
    let mut line = Line::of(&AppId::from("ios"));
    line.one(Metric::Claimed, 3);
    line.many(Metric::SendMs, vec![7, 7, 90]);
    line.outcome(Metric::Expired, 2);
    let directive = |dimensions: Json, metrics: Json| json!({"Namespace": "Pushwake/test", "Dimensions": [dimensions], "Metrics": metrics});
    let send_ms = json!({"Name": "send_ms", "Unit": "Milliseconds"});
    let count = |name: &str| json!({"Name": name, "Unit": "Count"});
    let expected = json!({
        "_aws": {"Timestamp": 1_700_000_000_000_u64, "CloudWatchMetrics": [
            directive(json!(["app"]), json!([count("claimed"), send_ms])),
            directive(json!(["app", "outcome"]), json!([count("outcomes")])),
        ]},
        "app": "ios", "outcome": "expired", "claimed": 3, "send_ms": [7, 7, 90], "outcomes": 2,
    });
    assert_eq!(written(line), [expected]);
}

#[test]
fn more_than_a_hundred_values_are_more_lines_and_nothing_is_said_twice() {
    let mut line = Line::of(&AppId::from("ios"));
    line.one(Metric::Claimed, 250);
    line.many(Metric::SendMs, (0..250).collect());
    line.outcome(Metric::Delivered, 250);
    let lines = written(line);
    let values = |line: &Json| line["send_ms"].as_array().expect("an array").clone();
    assert_eq!(lines.iter().map(|line| values(line).len()).collect::<Vec<_>>(), [100, 100, 50]);
    let sum: u64 = lines.iter().flat_map(values).filter_map(|value| value.as_u64()).sum();
    assert_eq!(sum, (0..250).sum::<u64>());
    for once in ["claimed", "outcomes", "outcome"] {
        assert_eq!(lines.iter().filter(|line| !line[once].is_null()).count(), 1, "{once}");
    }
}

#[test]
fn any_app_has_a_dimension_that_cloudwatch_takes() {
    let longest = "a".repeat(crate::limits::ID_LENGTH);
    for plain in ["ios-prod", "iOS app, 2", &longest] {
        assert_eq!(dimension(plain), plain);
    }
    let odd = "ü".repeat(crate::limits::ID_LENGTH);
    for id in ["é", "ios é", " ", &odd] {
        let value = dimension(id);
        assert!(value.is_ascii() && !value.trim().is_empty() && value.len() < 1_024, "{value}");
    }
    assert_ne!(dimension("é"), dimension("è"));
}

#[test]
fn a_metric_without_its_dimension_is_no_metric_of_the_line() {
    let mut line = Line::new();
    line.one(Metric::AppPaused, 1);
    assert_eq!(written(line)[0]["_aws"]["CloudWatchMetrics"], json!([]));
}

//! The alarms: on AWS' own metrics, and on the product's.

use pushwake::function::metric::Metric;
use pushwake::limits;
use serde_json::{Value, json};

use crate::metrics::{NAMESPACE, aws, own};
use crate::page::{of_type, properties, template, text};

/// Every alarm: whether somebody gets up for it, and what it makes of missing data.
const ALARMS: [(&str, &str, &str); 20] = [
    ("dead-wakes", "ticket", "notBreaching"),
    ("drain-errors", "page", "notBreaching"),
    ("drain-throttles", "ticket", "notBreaching"),
    ("drains-at-maximum", "ticket", "notBreaching"),
    ("enqueue-errors", "page", "notBreaching"),
    ("enqueue-p99", "ticket", "notBreaching"),
    ("enqueue-throttles", "page", "notBreaching"),
    ("expired", "ticket", "notBreaching"),
    ("failed-requests", "page", "notBreaching"),
    ("lease-lost", "ticket", "notBreaching"),
    ("oldest-due-age", "page", "ignore"),
    ("oldest-snapshot", "ticket", "ignore"),
    ("panicked", "ticket", "notBreaching"),
    ("paused", "page", "ignore"),
    ("poison", "ticket", "notBreaching"),
    ("prune-saturated", "ticket", "ignore"),
    ("schedule-errors", "page", "notBreaching"),
    ("schedule-silent", "page", "breaching"),
    ("wake-failures", "ticket", "notBreaching"),
    ("wake-queue-depth", "ticket", "notBreaching"),
];

#[test]
fn every_alarm_is_explained_under_its_name_and_as_urgent_as_it_is() {
    let page = text("docs/operations.md");
    let alarms = page.split("\n## Alarms\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the alarms");
    let mut explained: Vec<_> =
        alarms.split("\n### ").skip(1).filter_map(|section| section.split_once("\n\n")).collect();
    explained.sort_unstable();
    let names: Vec<_> = explained.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ALARMS.map(|(name, ..)| name));
    for ((name, section), (_, urgency, _)) in explained.into_iter().zip(ALARMS) {
        let says = if urgency == "page" { "**Page.** " } else { "**Ticket.** " };
        assert!(section.starts_with(says), "{name} is a {urgency}");
        for part in ["- **Look**", "- **Do**"] {
            assert!(section.contains(part), "{name}: {part}");
        }
    }
}

/// Its name, without the stack's.
pub fn suffix(alarm: &Value) -> &str {
    alarm["AlarmName"]["Fn::Sub"].as_str().and_then(|name| name.strip_prefix("${AWS::StackName}-")).expect("a name")
}

#[test]
fn every_alarm_says_page_or_ticket_and_goes_to_the_topic() {
    let template = template();
    let mut found = Vec::new();
    for (name, alarm) in of_type(&template, "AWS::CloudWatch::Alarm") {
        let says = alarm["AlarmDescription"].as_str().and_then(|text| text.split_once(": "));
        let (urgency, text) = says.unwrap_or_else(|| panic!("{name} does not say how urgent it is"));
        assert!(text.ends_with('.'), "{name}: {text}");
        found.push((suffix(alarm), urgency, alarm["TreatMissingData"].as_str().expect(name)));
        let topic = json!({"Fn::If": ["HasAlarmTopic", [{"Ref": "AlarmTopicArn"}], {"Ref": "AWS::NoValue"}]});
        assert_eq!((&alarm["AlarmActions"], &alarm["OKActions"]), (&topic, &topic), "{name}");
    }
    found.sort_unstable();
    assert_eq!(found, ALARMS);
}

#[test]
fn every_alarm_watches_a_metric_that_exists_on_something_that_exists() {
    let template = template();
    for (name, alarm) in of_type(&template, "AWS::CloudWatch::Alarm") {
        let single = [alarm.clone()];
        let metrics: Vec<Value> = match alarm["Metrics"].as_array() {
            None => single.to_vec(),
            Some(several) => several.iter().map(|one| one["MetricStat"]["Metric"].clone()).collect(),
        };
        for metric in metrics.iter().filter(|metric| metric.is_object()) {
            let watched = metric["MetricName"].as_str().expect(name);
            if let Some(namespace) = metric["Namespace"].as_str() {
                let dimension = &metric["Dimensions"][0];
                aws(&template, namespace, watched, dimension["Name"].as_str().expect(name), &dimension["Value"]);
            } else {
                assert_eq!(metric["Namespace"], json!({"Fn::Sub": NAMESPACE}), "{name}");
                assert_eq!(metric["Dimensions"], Value::Null, "{name}");
                own(watched, &[]);
            }
        }
    }
}

/// What an alarm watches, for how many periods of how many seconds, and above what.
fn condition(name: &str) -> (String, u64, u64, u64) {
    let alarm = properties(&template(), name);
    assert_eq!(alarm["ComparisonOperator"], "GreaterThanThreshold", "{name}");
    let number = |field: &str| alarm[field].as_u64().unwrap_or_else(|| panic!("{name}: {field}"));
    let metric = alarm["MetricName"].as_str().expect(name).to_owned();
    (metric, number("EvaluationPeriods"), number("Period"), number("Threshold"))
}

#[test]
fn what_is_due_for_more_than_a_minute_and_what_holds_a_snapshot_for_one_alarms() {
    let age = Metric::OldestDueAge.as_str().to_owned();
    assert_eq!(condition("OldestDueAgeAlarm"), (age, 2, 60, limits::SCHEDULE_EVERY.as_secs()));
    let snapshot = Metric::OldestSnapshotAge.as_str().to_owned();
    assert_eq!(condition("OldestSnapshotAlarm"), (snapshot, 3, 60, 60));
}

#[test]
fn an_alarm_on_what_should_never_happen_waits_for_nothing() {
    let never = [
        ("WakeFailuresAlarm", Metric::WakeFailed),
        ("LeaseLostAlarm", Metric::LeaseLost),
        ("PanickedAlarm", Metric::Panicked),
        ("PoisonAlarm", Metric::Poison),
    ];
    for (name, metric) in never {
        assert_eq!(condition(name), (metric.as_str().to_owned(), 1, 300, 0));
    }
}

#[test]
fn a_pause_and_a_prune_that_does_not_end_alarm_once_they_last() {
    let paused = Metric::PausedApps.as_str().to_owned();
    assert_eq!(condition("PausedAlarm"), (paused, 5, 60, 0));
    let needed = properties(&template(), "PausedAlarm")["DatapointsToAlarm"].as_u64().expect("a number");
    assert!(limits::PAUSE_FIRST.as_secs() < needed * 60, "a first pause is over by then");
    let saturated = Metric::PruneSaturated.as_str().to_owned();
    assert_eq!(condition("PruneSaturatedAlarm"), (saturated, 15, 60, 0));
}

#[test]
fn the_share_of_what_expires_alarms_after_five_minutes_and_not_for_a_handful() {
    let alarm = properties(&template(), "ExpiredAlarm");
    assert_eq!(alarm["Threshold"], 1, "per cent");
    assert_eq!(alarm["EvaluationPeriods"], 5);
    let metrics = alarm["Metrics"].as_array().expect("metrics");
    let shown: Vec<_> = metrics.iter().filter(|metric| metric["ReturnData"] != false).collect();
    assert_eq!(shown.len(), 1, "an alarm looks at one series");
    let share = "IF(expired < 5, 0, 100 * expired / (FILL(claimed, 0) + 1))";
    assert_eq!(shown[0]["Expression"], share, "a handful is none, nothing is divided by zero, late is not filled");
    for metric in [Metric::Expired, Metric::Claimed].map(Metric::as_str) {
        let one = metrics.iter().find(|one| one["Id"] == metric).expect(metric);
        assert_eq!(one["MetricStat"]["Metric"]["MetricName"], metric);
        assert_eq!((&one["MetricStat"]["Stat"], &one["MetricStat"]["Period"]), (&json!("Sum"), &json!(60)));
    }
}

#[test]
fn a_schedule_that_does_not_run_alarms_within_three_minutes() {
    let alarm = properties(&template(), "ScheduleSilentAlarm");
    assert_eq!(alarm["ComparisonOperator"], "LessThanThreshold");
    assert_eq!(
        (&alarm["Threshold"], &alarm["EvaluationPeriods"], &alarm["Period"]),
        (&json!(1), &json!(3), &json!(60))
    );
}

#[test]
fn an_alarm_knows_how_many_drains_there_are() {
    let alarm = properties(&template(), "DrainsAtMaximumAlarm");
    assert_eq!(alarm["Threshold"], limits::DRAINS);
    assert_eq!(alarm["EvaluationPeriods"].as_u64().zip(alarm["Period"].as_u64()), Some((10, 60)));
}

//! The alarms on AWS' own metrics.

use pushwake::limits;
use serde_json::Value;

use crate::page::{of_type, properties, template};

/// The metrics that AWS emits for a queue and for a function, as far as alarms use them.
const METRICS: [(&str, &str, &[&str]); 2] = [
    ("AWS/SQS", "QueueName", &["ApproximateNumberOfMessagesVisible", "ApproximateAgeOfOldestMessage"]),
    ("AWS/Lambda", "FunctionName", &["ConcurrentExecutions", "Duration", "Errors", "Invocations", "Throttles"]),
];

#[test]
fn every_alarm_watches_a_metric_that_exists_on_something_that_exists() {
    let template = template();
    let alarms = of_type(&template, "AWS::CloudWatch::Alarm");
    assert!(alarms.len() >= 11, "{}", alarms.len());
    for (name, alarm) in alarms {
        let known = METRICS.iter().find(|(namespace, ..)| alarm["Namespace"] == *namespace);
        let (_, dimension, metrics) = known.unwrap_or_else(|| panic!("{name} has an unknown namespace"));
        assert!(metrics.iter().any(|metric| alarm["MetricName"] == *metric), "{name}");
        assert_eq!(alarm["Dimensions"][0]["Name"], *dimension, "{name}");
        watched(&template, name, &alarm["Dimensions"][0]["Value"]);
    }
}

fn watched(template: &Value, alarm: &str, value: &Value) {
    if let Some(queue) = value["Fn::GetAtt"].as_str() {
        let queue = queue.strip_suffix(".QueueName").expect(alarm);
        assert_eq!(template["Resources"][queue]["Type"], "AWS::SQS::Queue", "{alarm}");
    } else {
        let function = value["Fn::Sub"].as_str().and_then(|name| name.strip_prefix("${AWS::StackName}-"));
        assert!(["enqueue", "drain", "schedule"].contains(&function.expect(alarm)), "{alarm}");
    }
}

#[test]
fn every_alarm_says_page_or_ticket_and_goes_to_the_topic() {
    let template = template();
    for (name, alarm) in of_type(&template, "AWS::CloudWatch::Alarm") {
        let says = alarm["AlarmDescription"].as_str().unwrap_or_default();
        assert!(says.starts_with("page: ") || says.starts_with("ticket: "), "{name}: {says}");
        assert_eq!(alarm["AlarmActions"]["Fn::If"][0], "HasAlarmTopic", "{name}");
        let missing = if name == "ScheduleSilentAlarm" { "breaching" } else { "notBreaching" };
        assert_eq!(alarm["TreatMissingData"], missing, "{name}");
    }
}

#[test]
fn an_alarm_knows_how_many_drains_there_are() {
    let alarm = properties(&template(), "DrainsAtMaximumAlarm");
    assert_eq!(alarm["Threshold"], limits::DRAINS);
    assert_eq!(alarm["EvaluationPeriods"].as_u64().zip(alarm["Period"].as_u64()), Some((10, 60)));
}

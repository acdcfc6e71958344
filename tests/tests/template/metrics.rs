//! The metrics that alarms and the dashboard may name.

use pushwake::function::metric::{Dimension, Metric};
use serde_json::Value;

/// Where the product's own metrics are.
pub const NAMESPACE: &str = "Pushwake/${AWS::StackName}";

/// What AWS emits for a function, a queue and a log group, as far as anything here looks at it.
const AWS: [(&str, &str, &[&str]); 3] = [
    ("AWS/Lambda", "FunctionName", &["ConcurrentExecutions", "Duration", "Errors", "Invocations", "Throttles"]),
    ("AWS/Logs", "LogGroupName", &["IncomingBytes"]),
    (
        "AWS/SQS",
        "QueueName",
        &[
            "ApproximateNumberOfMessagesNotVisible",
            "ApproximateNumberOfMessagesVisible",
            "NumberOfEmptyReceives",
            "NumberOfMessagesDeleted",
            "NumberOfMessagesReceived",
            "NumberOfMessagesSent",
        ],
    ),
];

/// Asserts that the code emits the metric with exactly these dimensions.
pub fn own(name: &str, dimensions: &[&str]) {
    let metric = Metric::ALL.iter().find(|metric| metric.as_str() == name);
    let metric = metric.unwrap_or_else(|| panic!("nothing emits {name}"));
    let sets = metric.dimensions().iter();
    let mut sets = sets.map(|set| set.iter().copied().map(Dimension::as_str).collect::<Vec<_>>());
    assert!(sets.any(|set| set == dimensions), "{name} is not emitted with {dimensions:?}");
}

/// Asserts that AWS emits the metric, and that what it is emitted for is in the template. `value` names that by `Fn::Sub`
/// or `Fn::GetAtt`, or is the text of an `Fn::Sub`.
pub fn aws(template: &Value, namespace: &str, metric: &str, dimension: &str, value: &Value) {
    let known = AWS.iter().find(|(name, ..)| *name == namespace);
    let (_, by, metrics) = known.unwrap_or_else(|| panic!("{metric} has an unknown namespace: {namespace}"));
    assert!(metrics.contains(&metric), "{namespace} has no {metric}");
    assert_eq!(dimension, *by, "{namespace} {metric}");
    let attribute = value["Fn::GetAtt"].as_str().map(|attribute| format!("${{{attribute}}}"));
    let text = attribute.or_else(|| value["Fn::Sub"].as_str().or(value.as_str()).map(str::to_owned));
    let text = text.unwrap_or_else(|| panic!("{metric} of {value}"));
    if *by == "QueueName" {
        let queue = text.strip_prefix("${").and_then(|text| text.strip_suffix(".QueueName}")).expect("a queue");
        assert_eq!(template["Resources"][queue]["Type"], "AWS::SQS::Queue", "{metric}");
    } else {
        let function = text.trim_start_matches("/aws/lambda/").strip_prefix("${AWS::StackName}-");
        assert!(["enqueue", "drain", "schedule"].contains(&function.expect("a function")), "{metric} of {text}");
    }
}

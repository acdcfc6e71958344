//! The queues and what starts drain.

use pushwake::limits;
use serde_json::{Value, json};

use crate::page::{FUNCTIONS, function, of_type, properties, template};

const FOURTEEN_DAYS: u64 = 14 * 24 * 60 * 60;

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

#[test]
fn a_wake_is_visible_again_and_dies_as_the_limits_say() {
    let template = template();
    let wakes = properties(&template, "WakeQueue");
    let visibility = number(&wakes["VisibilityTimeout"]);
    let receives = number(&wakes["RedrivePolicy"]["maxReceiveCount"]);
    assert_eq!(visibility, limits::WAKE_VISIBILITY.as_secs());
    assert!(visibility >= 6 * number(&function(&template, "Drain")["Timeout"]));
    assert!(receives >= 5);
    assert_eq!(receives, u64::from(local::stack::Options::default().max_receives), "as the local product has it");
    assert!(number(&wakes["MessageRetentionPeriod"]) > visibility * receives, "a wake dies before it is forgotten");
    assert_eq!(wakes["RedrivePolicy"]["deadLetterTargetArn"], json!({"Fn::GetAtt": "DeadWakeQueue.Arn"}));
}

#[test]
fn what_an_operator_or_a_product_reads_is_kept_for_fourteen_days() {
    for queue in ["DeadWakeQueue", "FeedbackQueue", "FailedRequestQueue"] {
        assert_eq!(number(&properties(&template(), queue)["MessageRetentionPeriod"]), FOURTEEN_DAYS, "{queue}");
    }
    assert_eq!(limits::PAST_PAUSE_KEPT.as_secs(), FOURTEEN_DAYS);
}

#[test]
fn every_queue_is_encrypted_and_refuses_what_is_not_tls() {
    let template = template();
    let policies = of_type(&template, "AWS::SQS::QueuePolicy");
    for (queue, properties) in of_type(&template, "AWS::SQS::Queue") {
        assert_eq!(properties["SqsManagedSseEnabled"], true, "{queue}");
        let policy = policies.iter().find(|(_, policy)| policy["Queues"] == json!([{"Ref": queue}]));
        let (_, policy) = policy.unwrap_or_else(|| panic!("{queue} has no policy"));
        let statement = &policy["PolicyDocument"]["Statement"][0];
        assert_eq!(statement["Effect"], "Deny", "{queue}");
        assert_eq!(statement["Principal"], "*", "{queue}");
        assert_eq!(statement["Resource"], json!({"Fn::GetAtt": format!("{queue}.Arn")}), "{queue}");
        assert_eq!(statement["Condition"], json!({"Bool": {"aws:SecureTransport": "false"}}), "{queue}");
    }
}

#[test]
fn one_wake_starts_one_drain_and_never_more_than_twelve_run() {
    let template = template();
    let mapping = properties(&template, "DrainWakes");
    assert_eq!(number(&mapping["ScalingConfig"]["MaximumConcurrency"]), limits::DRAINS as u64);
    assert_eq!((&mapping["BatchSize"], &mapping["MaximumBatchingWindowInSeconds"]), (&json!(1), &json!(0)));
    assert_eq!(mapping["FunctionResponseTypes"], json!(["ReportBatchItemFailures"]));
    assert_eq!(mapping["EventSourceArn"], json!({"Fn::GetAtt": "WakeQueue.Arn"}));
    assert_eq!(mapping["FunctionName"], json!({"Ref": "Drain.Alias"}));
    assert_eq!(of_type(&template, "AWS::Lambda::EventSourceMapping").len(), 1);
}

#[test]
fn only_drain_may_start_itself_again() {
    for (resource, _) in FUNCTIONS {
        let allowed = function(&template(), resource).get("RecursiveLoop").cloned();
        assert_eq!(allowed, (resource == "Drain").then(|| json!("Allow")), "{resource}");
    }
}

#[test]
fn schedule_runs_as_often_as_the_limits_say_and_is_not_retried() {
    let minute = &properties(&template(), "Schedule")["Events"]["Minute"];
    assert_eq!(minute["Type"], "ScheduleV2");
    assert_eq!(minute["Properties"]["ScheduleExpression"], "rate(1 minute)");
    assert_eq!(limits::SCHEDULE_EVERY.as_secs(), 60);
    let retries = json!({"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60});
    assert_eq!(minute["Properties"]["RetryPolicy"], retries);
}

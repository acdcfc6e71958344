//! The functions: what they are built from, their variables, times and logs, and the order of a deploy.

use std::collections::BTreeSet;

use pushwake::function::config::{Name, variables_of};
use pushwake::limits;
use serde_json::{Value, json};

use crate::metrics::NAMESPACE;
use crate::page::{FUNCTIONS, function, of_type, properties, root, template, text};

#[test]
fn every_function_is_the_binary_of_its_package_and_there_is_no_other() {
    let template = template();
    assert_eq!(of_type(&template, "AWS::Serverless::Function").len(), FUNCTIONS.len());
    for (resource, name) in FUNCTIONS {
        let metadata = &template["Resources"][resource]["Metadata"];
        let expected = json!({"BuildMethod": "rust-cargolambda", "BuildProperties": {"Binary": name}});
        assert_eq!(*metadata, expected, "{resource}");
        let function = function(&template, resource);
        assert_eq!((&function["CodeUri"], &function["Runtime"]), (&json!("."), &json!("provided.al2023")));
        assert_eq!(function["FunctionName"], json!({"Fn::Sub": format!("${{AWS::StackName}}-{name}")}));
        let manifest = text(&format!("functions/{name}/Cargo.toml"));
        assert!(manifest.contains(&format!("[[bin]]\nname = \"{name}\"\n")), "{name}");
    }
}

#[test]
fn every_function_has_the_variables_it_reads_and_no_others() {
    for (resource, name) in FUNCTIONS {
        let function = function(&template(), resource);
        let set = function["Environment"]["Variables"].as_object().expect("variables");
        let set: BTreeSet<&str> = set.keys().map(String::as_str).collect();
        let read: BTreeSet<&str> = variables_of(name).into_iter().map(Name::as_str).collect();
        assert_eq!(set, read, "{resource}");
    }
}

#[test]
fn what_is_measured_goes_to_where_alarms_and_the_dashboard_look() {
    for (resource, name) in FUNCTIONS {
        let variables = function(&template(), resource)["Environment"]["Variables"].clone();
        let expected = if name == "migrate" { Value::Null } else { json!({"Fn::Sub": NAMESPACE}) };
        assert_eq!(variables["METRICS_NAMESPACE"], expected, "{resource}");
    }
}

#[test]
fn no_function_is_killed_before_its_limits_end_it() {
    let template = template();
    for resource in ["Enqueue", "Drain", "Schedule"] {
        assert_eq!(function(&template, resource)["Timeout"], limits::FUNCTION_TIMEOUT.as_secs(), "{resource}");
    }
    let migrate = function(&template, "Migrate")["Timeout"].as_u64().expect("seconds");
    assert_eq!(properties(&template, "Migration")["ServiceTimeout"], 300);
    assert!(migrate > limits::MIGRATE_ANSWER.as_secs() && migrate < 300, "migrate answers before the deploy gives up");
}

#[test]
fn the_schema_is_that_of_the_newest_migration_and_comes_before_the_functions() {
    let template = template();
    let files = std::fs::read_dir(root().join("migrations")).expect("migrations");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"));
    let newest = names.filter_map(|name| name.split('_').next()?.parse::<u64>().ok()).max();
    let migration = properties(&template, "Migration");
    assert_eq!(migration["SchemaVersion"].as_u64(), newest);
    assert_eq!(migration["ServiceToken"], json!({"Fn::GetAtt": "Migrate.Arn"}));
    for resource in ["Enqueue", "Drain", "Schedule"] {
        assert_eq!(template["Resources"][resource]["DependsOn"], "Migration", "{resource}");
    }
}

#[test]
fn every_function_logs_json_to_a_group_that_forgets() {
    let template = template();
    for (resource, name) in FUNCTIONS {
        let group = format!("{resource}LogGroup");
        let logging = &function(&template, resource)["LoggingConfig"];
        assert_eq!(logging["LogFormat"], "JSON", "{resource}");
        assert_eq!(logging["LogGroup"], json!({"Ref": group}), "{resource}");
        let properties = properties(&template, &group);
        assert_eq!(properties["LogGroupName"], json!({"Fn::Sub": format!("/aws/lambda/${{AWS::StackName}}-{name}")}));
        assert_eq!(properties["RetentionInDays"], json!({"Ref": "LogRetention"}), "{resource}");
    }
}

#[test]
fn everything_is_invoked_through_the_alias_live() {
    for resource in ["Enqueue", "Drain", "Schedule"] {
        assert_eq!(function(&template(), resource)["AutoPublishAlias"], "live", "{resource}");
    }
}

#[test]
fn what_fails_as_an_event_three_times_is_kept() {
    let asynchronous = &function(&template(), "Enqueue")["EventInvokeConfig"];
    assert_eq!(asynchronous["MaximumRetryAttempts"], 2);
    let queue = json!({"Type": "SQS", "Destination": {"Fn::GetAtt": "FailedRequestQueue.Arn"}});
    assert_eq!(asynchronous["DestinationConfig"]["OnFailure"], queue);
}

//! The parameters: what each takes, and what it does where it is empty.

use pushwake::limits;
use serde_json::{Value, json};

use crate::page::{function, template, text};

#[test]
fn every_parameter_says_what_it_is_and_has_a_type_a_default_and_bounds() {
    let template = template();
    let groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"].to_string();
    for (name, parameter) in template["Parameters"].as_object().expect("parameters") {
        let described = parameter["Description"].as_str().is_some_and(|text| text.len() > 15 && text.ends_with('.'));
        assert!(described, "{name} has no description");
        let bounded = match parameter["Type"].as_str() {
            Some("String") => !parameter["AllowedPattern"].is_null() || !parameter["AllowedValues"].is_null(),
            Some("Number") => {
                parameter["MinValue"].is_u64() && parameter["MaxValue"].is_u64()
                    || parameter["AllowedValues"].is_array()
            }
            other => panic!("{name} is a {other:?}: the pattern of a list bounds one value at a time"),
        };
        assert!(bounded, "{name} takes anything");
        assert!(takes(parameter, &parameter["Default"]), "{name} does not take its default");
        assert!(groups.contains(&format!("\"{name}\"")), "{name} is in no group");
    }
}

/// Whether a parameter takes a value.
fn takes(parameter: &Value, value: &Value) -> bool {
    let mut bounds = serde_json::Map::new();
    for (theirs, ours) in [("AllowedPattern", "pattern"), ("AllowedValues", "enum"), ("MaxLength", "maxLength")] {
        bounds.extend(parameter.get(theirs).map(|bound| (ours.to_owned(), bound.clone())));
    }
    for (theirs, ours) in [("MinValue", "minimum"), ("MaxValue", "maximum")] {
        bounds.extend(parameter.get(theirs).map(|bound| (ours.to_owned(), bound.clone())));
    }
    let kind = if parameter["Type"] == "Number" { "number" } else { "string" };
    bounds.insert("type".to_owned(), json!(kind));
    jsonschema::validator_for(&bounds.into()).expect("bounds").is_valid(value)
}

#[test]
fn a_parameter_refuses_what_would_fail_later() {
    const SECRET: &str = "arn:aws:secretsmanager:eu-central-1:111111111111:secret:pushwake/apns-AbCdEf";
    let template = template();
    let both = format!("{SECRET},{SECRET}");
    let fitting = [
        ("CallerOrganization", "o-abcdefghij"),
        ("DatabaseSecretArn", SECRET),
        ("DrainConcurrency", "12"),
        ("DrainConcurrency", "100"),
        ("EnqueueConcurrency", "50"),
        ("LogLevel", "DEBUG"),
        ("ProviderSecretArns", SECRET),
        ("ProviderSecretArns", &both),
        ("SecurityGroupIds", "sg-0123456789abcdef0"),
        ("SubnetIds", "subnet-0123456789abcdef0,subnet-0123456789abcdef1"),
        ("Window", "84"),
    ];
    let refused = [
        ("CallerOrganization", "111111111111"),
        ("DatabaseHost", "postgres://user@db"),
        ("DrainConcurrency", "11"),
        ("EnqueueConcurrency", "0"),
        ("LogLevel", "WARN"),
        ("LogLevel", "ERROR"),
        ("ProviderSecretArns", "pushwake/apns"),
        ("SecurityGroupIds", "subnet-0123456789abcdef0"),
        ("SubnetIds", "subnet-0123456789abcdef0, subnet-0123456789abcdef1"),
        ("Window", "85"),
    ];
    let takes = |(name, value): (&str, &str)| takes(&template["Parameters"][name], &json!(value));
    assert_eq!(fitting.into_iter().find(|pair| !takes(*pair)), None);
    assert_eq!(refused.into_iter().find(|pair| takes(*pair)), None);
}

#[test]
fn the_table_of_the_documents_has_every_parameter_with_its_default() {
    let template = template();
    let parameters = template["Parameters"].as_object().expect("parameters");
    let page = text("docs/deploy.md");
    let table = page.split("| parameter | default | |\n| --- | --- | --- |\n").nth(1).expect("a table");
    let mut names = Vec::new();
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let of_row: Vec<_> = cells[1].split(", ").map(|name| name.trim_matches('`')).collect();
        let defaults = of_row.iter().map(|name| match &parameters.get(*name).expect(name)["Default"] {
            Value::String(text) => text.clone(),
            number => number.to_string(),
        });
        let defaults: Vec<_> = defaults.filter(|default| !default.is_empty()).collect();
        assert_eq!(cells[2], defaults.join(", "), "{of_row:?}");
        names.extend(of_row);
    }
    names.sort_unstable();
    let mut all: Vec<_> = parameters.keys().map(String::as_str).collect();
    all.sort_unstable();
    assert_eq!(names, all);
}

#[test]
fn a_parameter_that_a_version_names_changes_its_function_too() {
    let template = template();
    for resource in ["Enqueue", "Drain", "Schedule"] {
        let mut function = function(&template, resource);
        let description = function.remove("VersionDescription").expect("a description");
        let configured = json!(function).to_string();
        for name in description["Fn::Sub"].as_str().expect("a text").split(' ') {
            let name = name.trim_matches(['$', '{', '}']);
            let there = [format!("{{\"Ref\":\"{name}\"}}"), format!("${{{name}}}")]
                .iter()
                .any(|used| configured.contains(used));
            assert!(there, "{resource} is the same whatever {name} is: Lambda would publish no version of it");
        }
    }
}

#[test]
fn a_change_of_a_parameter_that_a_version_names_fits_its_description() {
    let template = template();
    for resource in ["Enqueue", "Drain", "Schedule"] {
        let function = function(&template, resource);
        let description = function["VersionDescription"]["Fn::Sub"].as_str().expect("a description");
        let names: Vec<_> = description.split(' ').map(|name| name.trim_matches(['$', '{', '}'])).collect();
        let longest = |name: &&str| match &template["Parameters"][*name] {
            // SourceQuota and Release are bounded by their patterns, the numbers and words by what they are.
            parameter if parameter["MaxLength"].is_u64() => parameter["MaxLength"].as_u64().expect("a number"),
            parameter if parameter.is_object() => 20,
            _ => panic!("{resource} names {name}, which is no parameter"),
        };
        let apart = names.len() as u64 - 1;
        let words = [
            "DatabasePort",
            "DatabasePooler",
            "LogLevel",
            "EnqueueMemory",
            "DrainMemory",
            "Window",
            "DefaultLife",
            "DeliveredSample",
        ];
        let long = names.iter().filter(|name| !words.contains(*name)).map(longest).sum::<u64>();
        let short = names.iter().filter(|name| words.contains(*name)).count() as u64 * 5;
        assert!(long + short + apart <= 256, "{resource}: {}", long + short + apart);
    }
}

#[test]
fn the_window_and_drain_s_concurrency_are_bounded_by_the_limits() {
    let template = template();
    let parameter = |name: &str| template["Parameters"][name].clone();
    assert!(parameter("Window")["Description"].as_str().is_some_and(|text| text.contains("84 at most")));
    assert!(parameter("DrainConcurrency")["Description"].as_str().is_some_and(|text| text.contains("12 at least")));
    assert_eq!((limits::WINDOW, limits::DRAINS), (84, 12));
    assert_eq!(parameter("DrainMemory")["Default"], 512);
    assert_eq!(parameter("LogRetention")["Default"], 30);
    assert_eq!(function(&template, "Drain")["MemorySize"], json!({"Ref": "DrainMemory"}));
}

/// Whether something below `value` is there, or has its value, only under the condition.
fn asked_for(value: &Value, condition: &str) -> bool {
    match value {
        Value::Object(entries) => {
            let here = entries.get("Condition").is_some_and(|named| named == condition)
                || entries.get("Fn::If").is_some_and(|choice| choice[0] == condition);
            here || entries.values().any(|value| asked_for(value, condition))
        }
        Value::Array(items) => items.iter().any(|value| asked_for(value, condition)),
        _ => false,
    }
}

/// Holds if the parameter is not empty.
fn given(parameter: &str) -> Value {
    json!({"Fn::Not": [{"Fn::Equals": [{"Ref": parameter}, ""]}]})
}

/// Holds if the parameter is not empty, and tokens do not take its place.
fn given_with_passwords(parameter: &str) -> Value {
    json!({"Fn::And": [given(parameter), {"Fn::Equals": [{"Ref": "DatabaseAuth"}, "password"]}]})
}

#[test]
fn an_empty_parameter_is_off() {
    let template = template();
    for (name, condition) in template["Conditions"].as_object().expect("conditions") {
        let vpc = json!({"Fn::And": [given("SubnetIds"), given("SecurityGroupIds")]});
        let mut parameters = template["Parameters"].as_object().expect("parameters").iter();
        let off = parameters.any(|(name, parameter)| match parameter["AllowedValues"].as_array() {
            None => parameter["Default"] == "" && [given(name), given_with_passwords(name)].contains(condition),
            Some(values) => values.iter().any(|value| {
                *value != parameter["Default"] && *condition == json!({"Fn::Equals": [{"Ref": name}, value]})
            }),
        });
        assert!(*condition == vpc || off, "{name} holds with the defaults: {condition}");
        let used = ["Resources", "Globals"].iter().any(|section| asked_for(&template[section], name));
        assert!(used, "{name} decides nothing");
    }
    assert_eq!(template["Parameters"]["GradualDeployment"]["Default"], "false");
    for (resource, alarm) in [("Enqueue", "EnqueueErrorsAlarm"), ("Drain", "DrainErrorsAlarm")] {
        let preference = function(&template, resource)["DeploymentPreference"].clone();
        assert_eq!(preference["Enabled"], json!({"Ref": "GradualDeployment"}), "{resource}");
        assert_eq!(preference["Alarms"], json!([{"Ref": alarm}]), "{resource}");
    }
    for name in ["Enqueue", "Drain", "Schedule"] {
        let reserved = function(&template, name)["ReservedConcurrentExecutions"].clone();
        let parameter = format!("{name}Concurrency");
        let off = json!([format!("Has{parameter}"), {"Ref": parameter}, {"Ref": "AWS::NoValue"}]);
        assert_eq!(reserved, json!({"Fn::If": off}), "{name}");
    }
}

#[test]
fn with_the_defaults_it_is_closed() {
    let parameters = template()["Parameters"].clone();
    assert_eq!(parameters["DatabaseTls"]["Default"], "verify-full");
    for name in ["CallerAccounts", "CallerOrganization", "ProviderCa", "ProviderSecretArns"] {
        assert_eq!(parameters[name]["Default"], "", "{name}");
    }
}

#[test]
fn what_is_missing_is_refused_before_anything_is_made() {
    let rules = template()["Rules"].clone();
    for (rule, parameter) in [
        ("DatabaseIsNamed", "DatabaseHost"),
        ("SecurityGroupsAreNamed", "SecurityGroupIds"),
        ("SubnetsAreNamed", "SubnetIds"),
    ] {
        let assertion = &rules[rule]["Assertions"][0];
        assert_eq!(assertion["Assert"], given(parameter), "{rule}");
        assert!(assertion["AssertDescription"].as_str().is_some_and(|text| text.contains(parameter)), "{rule}");
    }
    assert_eq!(rules["DatabaseIsNamed"]["RuleCondition"], Value::Null);
    assert_eq!(rules["SecurityGroupsAreNamed"]["RuleCondition"], given("SubnetIds"));
    assert_eq!(rules["SubnetsAreNamed"]["RuleCondition"], given("SecurityGroupIds"));
}

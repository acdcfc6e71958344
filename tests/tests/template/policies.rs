//! The policies that the template writes.

use serde_json::{Value, json};

use crate::page::{FUNCTIONS, function, of_type, properties, template};

/// Every policy statement below `value`: an object with an effect.
fn statements<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(entries) => {
            if entries.contains_key("Effect") {
                found.push(value);
            }
            entries.values().for_each(|value| statements(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| statements(value, found)),
        _ => {}
    }
}

/// The actions that a function may do.
fn actions(resource: &str) -> Vec<String> {
    let (template, mut found, mut actions) = (template(), Vec::new(), Vec::new());
    let function = function(&template, resource);
    statements(&function["Policies"], &mut found);
    for statement in found {
        match &statement["Action"] {
            Value::Array(several) => actions.extend(several.iter().filter_map(Value::as_str).map(String::from)),
            one => actions.extend(one.as_str().map(String::from)),
        }
    }
    actions.sort_unstable();
    actions
}

#[test]
fn no_policy_names_every_action_or_every_resource() {
    let (template, mut found) = (template(), Vec::new());
    statements(&template["Resources"], &mut found);
    assert!(found.len() > 15, "{}", found.len());
    for statement in found {
        for part in ["Action", "Resource"] {
            let written = statement[part].to_string();
            assert!(!statement[part].is_null() && !written.contains('*'), "{part}: {statement}");
        }
        assert!(statement["Effect"] == "Deny" || statement["Principal"].is_null(), "{statement}");
    }
    for (name, permission) in of_type(&template, "AWS::Lambda::Permission") {
        let everyone = permission["Principal"] == "*";
        assert!(!everyone || permission["PrincipalOrgID"].is_object(), "{name} lets everyone in");
        assert_eq!(permission["FunctionName"], json!({"Ref": "Enqueue.Alias"}), "{name}");
    }
}

#[test]
fn a_function_may_do_what_it_does_and_nothing_else() {
    let read = ["kms:Decrypt", "rds-db:connect", "secretsmanager:GetSecretValue"];
    assert_eq!(actions("Migrate"), read);
    assert_eq!(actions("Schedule"), [&read[..], &["sqs:SendMessage"]].concat());
    assert_eq!(actions("Enqueue"), [&read[..], &["sqs:SendMessage", "ssm:GetParameter"]].concat());
    let taken = ["sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"];
    let secrets = [&read[..], &["secretsmanager:GetSecretValue"]].concat();
    assert_eq!(actions("Drain"), [&secrets[..], &taken, &["sqs:SendMessage", "ssm:GetParameter"]].concat());
}

#[test]
fn a_token_of_iam_opens_one_database_for_the_function_s_own_role() {
    for (resource, _) in FUNCTIONS {
        let (template, mut found) = (template(), Vec::new());
        let function = function(&template, resource);
        statements(&function["Policies"], &mut found);
        let connects: Vec<_> = found.iter().filter(|statement| statement["Action"] == "rds-db:connect").collect();
        let role = if resource == "Migrate" { "DatabaseOwnerUser" } else { "DatabaseUser" };
        let database = "arn:${AWS::Partition}:rds-db:${AWS::Region}:${AWS::AccountId}:dbuser:${DatabaseResourceId}";
        assert_eq!(connects.len(), 1, "{resource}");
        assert_eq!(connects[0]["Resource"], json!({"Fn::Sub": format!("{database}/${{{role}}}")}), "{resource}");
        let policies = function["Policies"].to_string();
        // Of migrate it is the whole policy that is asked for.
        let asked = [
            r#"["HasIamAuth",{"Action":"rds-db:connect""#,
            r#"["HasIamAuth",{"Statement":[{"Action":"rds-db:connect""#,
        ];
        assert!(policies.contains(asked[usize::from(resource == "Migrate")]), "only with iam: {policies}");
    }
}

/// What is left of a list where no condition holds.
fn without_conditions(list: &Value) -> Vec<&Value> {
    let items = list.as_array().expect("a list").iter();
    let chosen = items.map(|item| item["Fn::If"].as_array().map_or(item, |choice| &choice[2]));
    chosen.filter(|item| item["Ref"] != "AWS::NoValue").collect()
}

#[test]
fn no_policy_is_left_without_a_statement_where_everything_is_off() {
    for (resource, _) in FUNCTIONS {
        let policies = function(&template(), resource)["Policies"].clone();
        for policy in without_conditions(&policies) {
            assert!(!without_conditions(&policy["Statement"]).is_empty(), "IAM refuses the policy of {resource}");
        }
    }
}

#[test]
fn only_migrate_has_the_owner_and_only_drain_has_the_keys_of_providers() {
    for (resource, _) in FUNCTIONS {
        let all = Value::from(function(&template(), resource)).to_string();
        assert_eq!(all.contains("DatabaseOwnerSecretArn"), resource == "Migrate", "{resource}");
        assert_eq!(all.contains("DatabaseSecretArn"), resource != "Migrate", "{resource}");
        assert_eq!(all.contains("ProviderSecretArns"), resource == "Drain", "{resource}");
    }
}

#[test]
fn what_may_be_done_with_a_queue_must_be_done_over_tls() {
    let (template, mut found, mut over_tls) = (template(), Vec::new(), Vec::new());
    for (_, policy) in of_type(&template, "AWS::SQS::QueuePolicy") {
        over_tls.push(policy["PolicyDocument"]["Statement"][0]["Action"].as_array().expect("actions").clone());
    }
    assert_eq!(over_tls.len(), of_type(&template, "AWS::SQS::Queue").len());
    statements(&template["Resources"], &mut found);
    for statement in found.iter().filter(|statement| statement["Effect"] == "Allow") {
        let one = [statement["Action"].clone()];
        let actions = statement["Action"].as_array().map_or(&one[..], Vec::as_slice);
        for action in actions.iter().filter(|action| action.as_str().is_some_and(|action| action.starts_with("sqs:"))) {
            assert!(over_tls.iter().all(|refused| refused.contains(action)), "{action} is allowed without TLS");
        }
    }
}

#[test]
fn a_reader_of_feedback_may_read_it_and_nothing_else() {
    let policy = properties(&template(), "FeedbackPolicy");
    let statements = policy["PolicyDocument"]["Statement"].as_array().expect("statements").clone();
    assert_eq!(statements.len(), 1);
    assert_eq!(statements[0]["Resource"], json!({"Fn::GetAtt": "FeedbackQueue.Arn"}));
    let actions = statements[0]["Action"].as_array().expect("actions");
    assert!(actions.iter().all(|action| action != "sqs:SendMessage" && action != "sqs:PurgeQueue"), "{actions:?}");
}

#[test]
fn a_caller_may_invoke_enqueue_and_nothing_else() {
    let policy = properties(&template(), "CallerPolicy");
    let statements = policy["PolicyDocument"]["Statement"].as_array().expect("statements").clone();
    assert_eq!(statements.len(), 1);
    assert_eq!(statements[0]["Action"], "lambda:InvokeFunction");
    assert_eq!(statements[0]["Resource"], json!({"Ref": "Enqueue.Alias"}));
}

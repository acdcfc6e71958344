//! The parameters, the stages, and the connections they add up to.

use pushwake::limits;
use serde_json::{Value, json};

use crate::page::{function, template, text};

/// What the smallest instances of RDS give out, less what they keep for themselves.
const CONNECTIONS: u32 = 79;

#[test]
fn every_parameter_says_what_it_is_and_has_a_default_and_bounds() {
    let template = template();
    let groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"].to_string();
    let page = text("docs/deploy.md");
    for (name, parameter) in template["Parameters"].as_object().expect("parameters") {
        let described = parameter["Description"].as_str().is_some_and(|text| text.len() > 15 && text.ends_with('.'));
        assert!(described, "{name} has no description");
        assert!(!parameter["Default"].is_null(), "{name} has no default");
        let bounds = ["AllowedPattern", "AllowedValues", "MinValue"];
        let list = parameter["Type"] == "CommaDelimitedList";
        assert!(list || bounds.iter().any(|bound| !parameter[bound].is_null()), "{name} takes anything");
        assert!(groups.contains(&format!("\"{name}\"")), "{name} is in no group");
        assert!(page.contains(&format!("`{name}`")), "docs/deploy.md does not explain {name}");
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
        let words = ["DatabasePort", "DatabasePooler", "LogLevel", "EnqueueMemory", "DrainMemory", "Window"];
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

/// `NAME=VALUE` of a stage.
fn stage(name: &str) -> Vec<(String, String)> {
    let config = text("samconfig.toml");
    let section = config.split(&format!("[{name}.deploy.parameters]\n")).nth(1).unwrap_or_else(|| panic!("{name}"));
    let section = section.split("\n[").next().unwrap_or_default();
    let line = section.lines().find_map(|line| line.strip_prefix("parameter_overrides = \""));
    let pairs = line.unwrap_or_default().trim_end_matches('"').split(' ').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn the_stages_set_parameters_that_exist() {
    let template = template();
    for name in ["dev", "prod"] {
        let set = stage(name);
        assert!(!set.is_empty(), "{name}");
        for (parameter, _) in set {
            assert!(template["Parameters"][&parameter].is_object(), "{name} sets {parameter}");
        }
    }
}

#[test]
fn the_connections_of_production_fit_the_smallest_instances() {
    let reserved = |name: &str| -> u32 {
        let found = stage("prod").into_iter().find(|(parameter, _)| parameter == name);
        found.and_then(|(_, value)| value.parse().ok()).unwrap_or_else(|| panic!("prod reserves {name}"))
    };
    let drains = limits::DRAINS as u32 * limits::DRAIN_CONNECTIONS;
    assert_eq!(reserved("DrainConcurrency"), limits::DRAINS as u32);
    let schedule = reserved("ScheduleConcurrency") * limits::SCHEDULE_CONNECTIONS;
    let enqueue = reserved("EnqueueConcurrency") * limits::ENQUEUE_CONNECTIONS;
    let sum = drains + enqueue + schedule + limits::MIGRATE_CONNECTIONS;
    assert!(sum <= CONNECTIONS, "{sum}");
    let others = drains + schedule + limits::MIGRATE_CONNECTIONS;
    let says = template()["Parameters"]["EnqueueConcurrency"]["Description"].clone();
    assert!(says.as_str().is_some_and(|text| text.contains(&format!("need {others} more"))), "{says}");
    documented();
}

/// The README's budget.
fn documented() {
    let row = format!(
        "| connections to Postgres | drains {} × {}, an enqueue instance {}, schedule {}, migrate {} |",
        limits::DRAINS,
        limits::DRAIN_CONNECTIONS,
        limits::ENQUEUE_CONNECTIONS,
        limits::SCHEDULE_CONNECTIONS,
        limits::MIGRATE_CONNECTIONS
    );
    assert!(text("README.md").contains(&row), "{row}");
}

#[test]
fn the_roles_are_those_of_the_sql() {
    for (parameter, role) in [("DatabaseUser", "pushwake_app"), ("DatabaseOwnerUser", "pushwake_owner")] {
        assert_eq!(template()["Parameters"][parameter]["Default"], role);
        assert!(text("docs/database.sql").contains(&format!("create role {role} login")), "{role}");
    }
}

#[test]
fn a_database_must_be_named() {
    let rule = &template()["Rules"]["DatabaseIsNamed"]["Assertions"][0];
    assert!(rule["AssertDescription"].as_str().is_some_and(|text| text.contains("DatabaseHost")), "{rule}");
    assert_ne!(*rule, Value::Null);
}

//! The stages, the roles, and the connections that they add up to.

use pushwake::limits;

use crate::page::{template, text};

/// What the smallest instances of RDS give out, less what they keep for themselves.
const CONNECTIONS: u32 = 79;

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

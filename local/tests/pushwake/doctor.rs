//! `pushwake doctor`, over the configuration of a running stack and over what can be wrong with one.

use std::path::Path;
use std::process::{Command, Output};

use local::runtime_api::Settings;
use local::stack::{Options, Stack};
use serde_json::{Map, Value, json};

/// Runs it with these variables alone.
fn doctor(arguments: &[&str], variables: &[(String, String)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pushwake"));
    command.arg("doctor").args(arguments).env_clear().envs(variables.iter().cloned());
    command.output().expect("the binary runs")
}

/// The findings, as (subject, verdict, what was seen).
fn findings(output: &Output) -> Vec<(String, String, String)> {
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let findings = answer["findings"].as_array().expect("findings");
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("a text").to_owned();
    findings.iter().map(|one| (text(one, "subject"), text(one, "verdict"), text(one, "seen"))).collect()
}

/// Variables of a drain on Lambda.
fn variables(stack: &Stack) -> Vec<(String, String)> {
    let mut variables = stack.variables("drain");
    let settings = Settings::new("drain", Path::new("drain"));
    variables.extend(settings.environment);
    for (name, value) in
        [("AWS_REGION", "eu-central-1"), ("AWS_ACCESS_KEY_ID", "local"), ("AWS_SECRET_ACCESS_KEY", "local")]
    {
        variables.push((name.to_owned(), value.to_owned()));
    }
    variables
}

/// The apps in `variables`, with `change` made to one of them.
fn changed_app(variables: &[(String, String)], app: &str, change: &Value) -> String {
    let (_, apps) = variables.iter().find(|(name, _)| name == "PUSHWAKE_APPS").expect("the apps");
    let mut apps: Value = serde_json::from_str(apps).expect("JSON");
    for (key, value) in change.as_object().expect("an object") {
        apps[app][key] = value.clone();
    }
    apps.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_found_by_its_subject_and_what_is_right_is_not() {
    let stack = Stack::start(Options { schedule_every: None, ..Options::default() }).await.expect("a stack");
    let right = variables(&stack);
    let healthy = doctor(&["--json"], &right);
    assert!(healthy.status.success(), "{healthy:?}");
    let found = findings(&healthy);
    for subject in ["variables", "app ios-prod", "app android", "app web", "database", "clock", "schema", "wake queue"]
    {
        assert!(found.iter().any(|(of, verdict, _)| of == subject && verdict == "ok"), "{subject}: {found:?}");
    }
    assert!(
        found.iter().all(|(_, verdict, seen)| verdict == "ok" || seen.starts_with("it sends to https://")),
        "{found:?}"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let nonsense = folder.path().join("nonsense");
    std::fs::write(&nonsense, "CANARY").expect("a file");
    let nonsense = format!("file:{}", nonsense.display());
    let apps = |app: &str, key: &str, value: &str| ("PUSHWAKE_APPS", changed_app(&right, app, &json!({key: value})));
    let set = |name, value: &str| (name, value.to_owned());
    for (change, subject, seen) in [
        (apps("ios-prod", "key", &nonsense), "app ios-prod", "no EC P-256 private key"),
        (apps("android", "key", &nonsense), "app android", "no service account's key"),
        (apps("web", "key", &nonsense), "app web", "no P-256 private key"),
        (apps("web", "key", "file:/nowhere"), "app web", "can't be read"),
        (set("PUSHWAKE_APPS", "{}"), "PUSHWAKE_APPS", "at least one app"),
        (set("DATABASE_PORT", "1"), "database", "can't be reached"),
        (set("DATABASE_NAME", "postgres"), "schema", "no tables yet"),
        (set("DATABASE_NAME", "nowhere"), "database", "does not exist"),
        (set("WAKE_QUEUE_URL", "http://127.0.0.1:1/000000000000/nowhere"), "wake queue", "can't be asked"),
        (set("DATABASE_HOST", ""), "DATABASE_HOST", "must be set"),
    ] {
        let with: Vec<_> = right
            .iter()
            .filter(|(name, _)| name != change.0)
            .cloned()
            .chain([(change.0.to_owned(), change.1)])
            .collect();
        // By a file, as for `sam local`.
        let file = folder.path().join("env.json");
        let parameters: Map<String, Value> = with.into_iter().map(|(name, value)| (name, value.into())).collect();
        std::fs::write(&file, json!({"Parameters": parameters}).to_string()).expect("a file");
        let output = doctor(&["--json", "--env-file", &file.display().to_string()], &[]);
        assert_eq!(output.status.code(), Some(1), "{subject}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("CANARY"));
        let found = findings(&output);
        let wrong: Vec<_> = found.iter().filter(|(_, verdict, _)| verdict == "wrong").collect();
        assert!(
            matches!(&wrong[..], [(of, _, text)] if of == subject && text.contains(seen)),
            "{subject} {seen}: {wrong:?}"
        );
    }
    stack.stop().await.expect("it stops");
}

#[test]
fn without_variables_each_missing_one_is_a_line_for_people() {
    let output = doctor(&[], &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    for name in ["DATABASE_HOST", "DATABASE_NAME", "DATABASE_USER", "WAKE_QUEUE_URL", "PUSHWAKE_APPS"] {
        assert!(text.lines().any(|line| line.starts_with("wrong") && line.contains(name)), "{name} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours where nobody sees them");
}

#[test]
fn a_file_that_is_none_is_bad_news_in_one_line() {
    for arguments in [["--env-file", "/nowhere"], ["--apps", "/nowhere"]] {
        let output = doctor(&arguments, &[]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}

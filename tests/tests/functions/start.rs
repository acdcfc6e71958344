//! How the functions start, or don't.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use local::runtime_api::{Function, Invocation, Settings};

use crate::log_lines::log_lines;

fn binary(of: impl Fn(&local::build::Functions) -> &PathBuf) -> PathBuf {
    of(local::build::functions().expect("the functions build")).clone()
}

#[tokio::test]
async fn a_function_without_its_environment_says_so_in_one_line_and_does_not_start() {
    for (name, binary) in [
        ("enqueue", binary(|functions| &functions.enqueue)),
        ("drain", binary(|functions| &functions.drain)),
        ("schedule", binary(|functions| &functions.schedule)),
    ] {
        let mut settings = Settings::new(name, &binary);
        settings.environment = vec![("DATABASE_PASSWORD".to_owned(), "canary".to_owned())];
        let function = Function::start(settings);
        let ended = function.invoke("{}").await;
        assert!(matches!(ended, Invocation::InitError { .. }), "{name}: {ended:?}");
        let log = log_lines(&function, 1).await;
        assert_eq!(log.len(), 1, "{name}: {log:?}");
        let error = log[0]["error"].as_str().expect("its error");
        for fault in
            ["DATABASE_HOST must be set", "DATABASE_PASSWORD must be a reference", "WAKE_QUEUE_URL must be set"]
        {
            assert!(error.contains(fault), "{name}: {error}");
        }
        assert!(!log[0].to_string().contains("canary"), "{name}: {log:?}");
        function.shutdown().await;
    }
}

#[test]
fn a_function_started_by_hand_says_who_may_start_it() {
    let ended = std::process::Command::new(binary(|functions| &functions.drain)).env_clear().output();
    let ended = ended.expect("the binary runs");
    assert!(!ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    let line: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("one JSON object");
    assert!(line["message"].as_str().is_some_and(|text| text.contains("AWS_LAMBDA_RUNTIME_API")), "{line}");
}

#[tokio::test]
async fn migrate_answers_a_fault_of_its_environment_with_each_invocation() {
    let function = Function::start(Settings::new("migrate", &binary(|functions| &functions.migrate)));
    for _ in 0..2 {
        let failed = function.invoke("{}").await;
        let expected = "DATABASE_HOST must be set; DATABASE_NAME must be set";
        assert!(
            matches!(&failed, Invocation::FunctionError { message, .. } if message.contains(expected)),
            "{failed:?}"
        );
    }
    function.shutdown().await;
}

#[tokio::test]
async fn a_database_that_is_away_is_one_line_and_a_quick_return_and_fails_no_start() {
    let bound = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = bound.local_addr().expect("an address").port();
    drop(bound);
    let mut settings = Settings::new("schedule", &binary(|functions| &functions.schedule));
    settings.environment = [
        ("DATABASE_HOST", "127.0.0.1"),
        ("DATABASE_PORT", &port.to_string()),
        ("DATABASE_NAME", "push"),
        ("DATABASE_USER", "push"),
        ("DATABASE_TLS", "off"),
        ("WAKE_QUEUE_URL", "http://127.0.0.1:1/000000000000/wakes"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    let function = Function::start(settings);
    // The second invocation is of the same process.
    for n in 1..=2 {
        let start = Instant::now();
        let failed = function.invoke("{}").await;
        let took = start.elapsed();
        assert!(
            matches!(&failed, Invocation::FunctionError { message, .. } if message.contains("postgres can't be reached")),
            "{failed:?}"
        );
        assert!(took < Duration::from_secs(10), "{took:?}");
        assert_eq!(function.counts().cold, 1);
        let log = log_lines(&function, n).await;
        assert!(log.len() == n && log[n - 1]["level"] == "ERROR", "one line each: {log:?}");
    }
    function.shutdown().await;
}

//! How the functions start, or don't.

use std::io::Read;
use std::net::TcpListener;
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
    let bound = TcpListener::bind("127.0.0.1:0").expect("a free port");
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

/// An instance may be started long before its first invocation, and its init must not hang on anybody.
#[test]
fn nothing_is_on_the_network_before_the_first_invocation() {
    for (name, binary) in [
        ("enqueue", binary(|functions| &functions.enqueue)),
        ("drain", binary(|functions| &functions.drain)),
        ("schedule", binary(|functions| &functions.schedule)),
        ("migrate", binary(|functions| &functions.migrate)),
    ] {
        let listen = || TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (runtime_api, everything) = (listen(), listen());
        let [asked, others] = [&runtime_api, &everything].map(|listener| listener.local_addr().expect("an address"));
        let url = format!("http://{others}");
        let mut instance = std::process::Command::new(binary)
            .env_clear()
            .envs([
                ("AWS_LAMBDA_RUNTIME_API", asked.to_string()),
                ("AWS_LAMBDA_FUNCTION_NAME", name.to_owned()),
                ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512".to_owned()),
                ("AWS_LAMBDA_FUNCTION_VERSION", "1".to_owned()),
                ("AWS_REGION", "eu-central-1".to_owned()),
                ("AWS_ACCESS_KEY_ID", "local".to_owned()),
                ("AWS_SECRET_ACCESS_KEY", "local".to_owned()),
                ("AWS_ENDPOINT_URL", url.clone()),
                ("DATABASE_HOST", others.ip().to_string()),
                ("DATABASE_PORT", others.port().to_string()),
                ("DATABASE_NAME", "push".to_owned()),
                ("DATABASE_USER", "push".to_owned()),
                ("DATABASE_TLS", "off".to_owned()),
                ("DATABASE_PASSWORD", "secretsmanager:push".to_owned()),
                ("WAKE_QUEUE_URL", format!("{url}/000000000000/wakes")),
                ("PUSHWAKE_APPS", "ssm:/pushwake/apps".to_owned()),
            ])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the binary runs");
        let (mut next, _) = runtime_api.accept().expect("it asks for its first invocation");
        let mut line = [0; 40];
        next.read_exact(&mut line).expect("a request");
        assert!(line.starts_with(b"GET /2018-06-01/runtime/invocation/next "), "{name}: {line:?}");
        everything.set_nonblocking(true).expect("a listener");
        let others = everything.accept().map_err(|error| error.kind());
        instance.kill().expect("it runs");
        instance.wait().expect("it ends");
        assert_eq!(others.expect_err(name), std::io::ErrorKind::WouldBlock, "{name}");
    }
}

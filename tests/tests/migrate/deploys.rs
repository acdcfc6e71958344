//! Deploys: every event of `CloudFormation` is answered.

use std::time::{Duration, SystemTime};

use lambda_runtime::{Context, LambdaEvent};
use migrate::{Applied, MIGRATIONS, Migrate};
use pushwake::function::Event;
use pushwake::function::config::Name;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::ground::{ask, empty};

/// Where a deploy waits for its answer.
struct Deploy {
    listener: TcpListener,
    url: String,
}

impl Deploy {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/bucket/key?Signature=x", listener.local_addr().expect("an address"));
        Self { listener, url }
    }

    fn event(&self, request: &str, time_out: Duration) -> Event {
        let event = json!({
            "RequestType": request, "ResponseURL": self.url, "StackId": "arn:stack", "RequestId": "r-1",
            "LogicalResourceId": "Migrations", "ResourceType": "Custom::Migrations", "ResourceProperties": {},
        });
        invocation(&event, time_out)
    }

    /// Takes one PUT, answers it with `status`, and returns its body.
    async fn answered(&self, status: u16) -> Value {
        let (connection, _) = self.listener.accept().await.expect("a connection");
        let mut connection = BufReader::new(connection);
        let (mut head, mut line) = (String::new(), String::new());
        while line != "\r\n" {
            line.clear();
            connection.read_line(&mut line).await.expect("a line of the head");
            head.push_str(&line.to_ascii_lowercase());
        }
        assert!(head.starts_with("put /bucket/key?signature=x "), "{head}");
        assert!(!head.contains("content-type"), "a presigned address is signed without one: {head}");
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
        let mut body = vec![0; length.parse().expect("a number")];
        connection.read_exact(&mut body).await.expect("the body");
        let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        connection.write_all(answer.as_bytes()).await.expect("the connection is open");
        serde_json::from_slice(&body).expect("JSON")
    }
}

fn invocation(event: &Value, time_out: Duration) -> Event {
    let mut context = Context::default();
    let deadline = SystemTime::now() + time_out;
    context.deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_millis() as u64;
    LambdaEvent::new(serde_json::value::to_raw_value(event).expect("JSON"), context)
}

fn function(options: &PgConnectOptions) -> Migrate {
    let (host, port) = (options.get_host().to_owned(), options.get_port().to_string());
    let (user, name) = (options.get_username().to_owned(), options.get_database().expect("a name").to_owned());
    Migrate::new(move |variable| match variable {
        Name::DatabaseHost => Some(host.clone()),
        Name::DatabasePort => Some(port.clone()),
        Name::DatabaseUser => Some(user.clone()),
        Name::DatabaseName => Some(name.clone()),
        Name::DatabaseTls => Some("off".to_owned()),
        _ => None,
    })
}

const MINUTE: Duration = Duration::from_mins(1);

#[tokio::test]
async fn a_create_and_an_update_migrate_and_are_answered_with_the_version() {
    let options = empty().await;
    let (function, deploy) = (function(&options), Deploy::new().await);
    for request in ["Create", "Update"] {
        let (handled, answer) = tokio::join!(function.handle(deploy.event(request, MINUTE)), deploy.answered(200));
        handled.expect("an answered deploy");
        let expected = json!({
            "Status": "SUCCESS", "PhysicalResourceId": "pushwake-migrations", "StackId": "arn:stack",
            "RequestId": "r-1", "LogicalResourceId": "Migrations", "Data": {"Version": MIGRATIONS.len()},
        });
        assert_eq!(answer, expected);
    }
    assert!(ask(&options, "select count(*) = 0 from lanes").await);
}

#[tokio::test]
async fn a_direct_invocation_answers_what_it_applied() {
    let function = function(&empty().await);
    let direct = || async { function.handle(invocation(&json!({}), MINUTE)).await.expect("a migration") };
    let names: Vec<_> = MIGRATIONS.iter().map(|migration| migration.name).collect();
    let version = MIGRATIONS.len() as i32;
    assert_eq!(direct().await, Some(Applied { applied: names, version }));
    assert_eq!(direct().await, Some(Applied { applied: vec![], version }));
    let answer = serde_json::to_value(direct().await).expect("JSON");
    assert_eq!(answer, json!({"applied": [], "version": version}));
}

#[tokio::test]
async fn a_delete_succeeds_and_touches_nothing() {
    let options = empty().await;
    let deploy = Deploy::new().await;
    // Not even the configuration has to be right.
    for function in [function(&options), Migrate::new(|_| None)] {
        let (handled, answer) = tokio::join!(function.handle(deploy.event("Delete", MINUTE)), deploy.answered(200));
        handled.expect("an answered deploy");
        assert_eq!(
            (&answer["Status"], &answer["PhysicalResourceId"]),
            (&json!("SUCCESS"), &json!("pushwake-migrations"))
        );
    }
    assert!(ask(&options, "select to_regclass('schema_migrations') is null").await);
}

#[tokio::test]
async fn a_failure_is_answered_with_its_reason_and_is_not_tried_again_by_lambda() {
    let bound = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let away = empty().await.port(bound.local_addr().expect("an address").port());
    drop(bound);
    for (function, request, reason) in [
        (Migrate::new(|_| None), "Create", "DATABASE_HOST must be set; DATABASE_NAME must be set"),
        (function(&away), "Update", "postgres can't be reached"),
        (function(&away), "Rename", "RequestType"),
    ] {
        let deploy = Deploy::new().await;
        let (handled, answer) = tokio::join!(function.handle(deploy.event(request, MINUTE)), deploy.answered(200));
        assert_eq!(handled.expect("an answered deploy"), None);
        assert_eq!(
            (&answer["Status"], &answer["PhysicalResourceId"]),
            (&json!("FAILED"), &json!("pushwake-migrations"))
        );
        assert!(answer["Reason"].as_str().is_some_and(|text| text.contains(reason)), "{answer}");
    }
}

#[tokio::test]
async fn a_database_that_never_answers_is_answered_for_before_the_function_is_killed() {
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let options = empty().await.port(silent.local_addr().expect("an address").port());
    let (function, deploy) = (function(&options), Deploy::new().await);
    let time_out = Duration::from_secs(4);
    let both = async { tokio::join!(function.handle(deploy.event("Create", time_out)), deploy.answered(200)) };
    let (handled, answer) = tokio::time::timeout(time_out, both).await.expect("in time");
    handled.expect("an answered deploy");
    assert_eq!(answer["Status"], "FAILED");
    assert!(answer["Reason"].as_str().is_some_and(|text| text.contains("postgres stopped answering")), "{answer}");
    drop::<Result<TcpStream, _>>(silent.accept().await.map(|(connection, _)| connection));
}

#[tokio::test]
async fn an_answer_that_was_not_taken_is_put_again() {
    let (function, deploy) = (function(&empty().await), Deploy::new().await);
    let answers = async { (deploy.answered(503).await, deploy.answered(200).await) };
    let (handled, (refused, taken)) = tokio::join!(function.handle(deploy.event("Create", MINUTE)), answers);
    handled.expect("an answered deploy");
    assert_eq!(refused, taken);
}

#[tokio::test]
async fn an_answer_that_nobody_takes_is_an_error_that_lambda_tries_again() {
    let (function, deploy) = (Migrate::new(|_| None), Deploy::new().await);
    let refused = async {
        loop {
            deploy.answered(403).await;
        }
    };
    let handled = tokio::select! {
        handled = function.handle(deploy.event("Delete", Duration::from_secs(2))) => handled,
        () = refused => unreachable!("it refuses for ever"),
    };
    let error = handled.expect_err("nobody was answered").to_string();
    assert!(error.contains("403") && !error.contains("Signature"), "the address is a credential: {error}");
}

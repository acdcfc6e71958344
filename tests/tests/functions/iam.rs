//! Tokens of IAM in the place of a password.

use local::stack;
use pushwake::function::config::{Drain, Name};
use tests::barrier::until;
use tests::database::cluster;
use tests::pooler;
use tests::product::{Product, options};
use tests::rds::Rds;

/// What no line may hold: parts of the credentials, and of every token.
const SECRET: &str = "canarySECRETcanary";
const SESSION: &str = "canary/SESSION+canary==";

fn environment(rds: &Rds) -> Vec<(String, String)> {
    let own = [
        ("DATABASE_PORT", rds.address.port().to_string()),
        ("DATABASE_IAM", "true".to_owned()),
        // Not there, and not looked at.
        ("DATABASE_PASSWORD", "file:/nowhere".to_owned()),
        ("AWS_ACCESS_KEY_ID", "AKIDCANARY".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ("AWS_SESSION_TOKEN", SESSION.to_owned()),
        ("AWS_LAMBDA_LOG_LEVEL", "TRACE".to_owned()),
    ];
    own.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// As RDS judges it, but for the signature, which is held to botocore's where it is made.
fn is_token_of(token: &str, address: &str) -> bool {
    let parts =
        ["X-Amz-Expires=900", "X-Amz-SignedHeaders=host", "X-Amz-Security-Token=canary%2FSESSION%2Bcanary%3D%3D"];
    token.starts_with(&format!("{address}/?Action=connect&DBUser=pushwake&"))
        && parts.iter().all(|part| token.contains(part))
        && token.contains("%2Frds-db%2Faws4_request")
        && token.split("X-Amz-Signature=").nth(1).is_some_and(|rest| rest.len() >= 64)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_iam_is_the_password_and_is_in_no_output() {
    // The first one is refused, as if its clock had been off: another is signed at once.
    let rds = Rds::before(cluster().await.port(), |token, before| {
        let address = token.split('/').next().unwrap_or_default();
        before > 0 && is_token_of(token, address)
    })
    .await;
    let pooler = pooler::direct("its tokens are for RDS, not for a pooler");
    let environment = environment(&rds);
    let product = Product::with(stack::Options { pooler, environment, ..options().await }).await;
    product.queue(1, 0..20).await;
    product.until(|tally| tally.delivered == 20).await;
    product.schedule().await;
    assert!(product.stack.migrate.invoke("{}").await.is_ok(), "two connections of its own");
    product.until_quiet().await;
    let tokens = rds.tokens();
    let address = format!("127.0.0.1:{}", rds.address.port());
    assert!(tokens.len() >= 6 && tokens.iter().all(|token| is_token_of(token, &address)), "{}", tokens.len());
    let signatures = tokens.iter().filter_map(|token| token.split("X-Amz-Signature=").nth(1)?.get(..64));
    let canaries: Vec<&str> = signatures.chain([SECRET, SESSION, "canary%2FSESSION"]).collect();
    let stack = &product.stack;
    assert!(!stack.enqueue.output().lines().is_empty() && !stack.drain.output().lines().is_empty());
    for function in [&stack.enqueue, &stack.drain, &stack.schedule, &stack.migrate] {
        for line in function.output().lines() {
            assert!(canaries.iter().all(|canary| !line.text.contains(canary)), "{}", line.text);
        }
    }
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_rds_refuses_is_one_error_without_it() {
    let rds = Rds::before(cluster().await.port(), |_, _| false).await;
    let pooler = pooler::direct("its tokens are for RDS, not for a pooler");
    let environment = environment(&rds);
    let product = Product::with(stack::Options { pooler, environment, ..options().await }).await;
    let refused = product.stack.enqueue(&tests::product::event(1, [0])).await.expect_err("no connection").to_string();
    assert!(refused.contains("28000") && !refused.contains("X-Amz"), "{refused}");
    until(|| async { rds.tokens().len() >= 2 }).await;
    let lines = product.stack.enqueue.output().lines();
    assert!(lines.iter().all(|line| !line.text.contains("X-Amz-Signature=") && !line.text.contains(SECRET)));
    product.stop().await;
}

#[test]
fn a_token_crosses_no_network_in_plain_text() {
    let read = |host: &'static str| {
        Drain::read(move |name| {
            Some(match name {
                Name::DatabaseHost => host.to_owned(),
                Name::DatabaseIam => "true".to_owned(),
                Name::DatabaseTls => "off".to_owned(),
                Name::Apps => "ssm:/pushwake/apps".to_owned(),
                Name::DatabaseName | Name::DatabaseUser | Name::WakeQueueUrl => "some".to_owned(),
                _ => return None,
            })
        })
    };
    let refused = read("db.example.com").expect_err("a fault").to_string();
    assert!(refused.contains("DATABASE_TLS must be `verify-full`"), "{refused}");
    assert!(read("127.0.0.1").expect("this machine").database.iam);
}

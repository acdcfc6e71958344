//! The connection to Postgres under TLS, with certificate and host name verified.

use std::path::{Path, PathBuf};

use local::postgres::{self, Cluster};
use local::runtime_api::{Function, Invocation, Settings};
use tempfile::TempDir;
use tests::barrier::until;
use tests::pooler;
use tests::tls::{issue, serve};

/// Runs schedule against it as a deploy does, trusting what stands in `ca`.
async fn schedule(cluster: &Cluster, ca: &Path) -> Invocation {
    let binaries = local::build::functions().expect("the functions build");
    let mut settings = Settings::new("schedule", &binaries.schedule);
    let own = [
        ("DATABASE_HOST", "localhost".to_owned()),
        ("DATABASE_PORT", cluster.port().to_string()),
        ("DATABASE_NAME", "postgres".to_owned()),
        ("DATABASE_USER", postgres::USER.to_owned()),
        ("DATABASE_CA", ca.display().to_string()),
        ("WAKE_QUEUE_URL", "http://127.0.0.1:1/000000000000/wakes".to_owned()),
    ];
    settings.environment = own.map(|(name, value)| (name.to_owned(), value)).to_vec();
    let function = Function::start(settings);
    let ended = function.invoke("{}").await;
    function.shutdown().await;
    ended
}

fn written(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("written");
    file
}

/// There are no tables: whoever gets as far as that has connected.
fn connected(ended: &Invocation) -> bool {
    matches!(ended, Invocation::FunctionError { message, .. } if message.contains("postgres refused"))
}

fn not_connected(ended: &Invocation, why: &str) -> bool {
    matches!(ended, Invocation::FunctionError { message, .. }
        if message.contains("postgres can't be reached") && message.contains(why))
}

#[tokio::test(flavor = "multi_thread")]
async fn c14s_tls_works_with_the_right_ca_and_fails_with_a_wrong_one_a_wrong_name_and_a_plaintext_server() {
    let folder = TempDir::new().expect("a folder");
    assert!(pooler::direct("behind a pooler it is the pooler that speaks TLS").is_none());
    let cluster = Cluster::start(postgres::Options::default()).await.expect("a cluster");
    let (right, elsewhere) = (issue("localhost"), issue("db.example.com"));
    let right_ca = written(&folder, "right.pem", &right.ca);
    let elsewhere_ca = written(&folder, "elsewhere.pem", &elsewhere.ca);

    let plaintext = schedule(&cluster, &right_ca).await;
    assert!(not_connected(&plaintext, "TLS"), "{plaintext:?}");
    // A reload takes its moment, so that the first look may meet what was served before.
    serve(&cluster, &right).await;
    until(async || connected(&schedule(&cluster, &right_ca).await)).await;
    let wrong_ca = schedule(&cluster, &elsewhere_ca).await;
    assert!(not_connected(&wrong_ca, "UnknownIssuer"), "{wrong_ca:?}");
    serve(&cluster, &elsewhere).await;
    until(async || not_connected(&schedule(&cluster, &elsewhere_ca).await, "not valid for name")).await;
    cluster.stop().await.expect("it stops");
}

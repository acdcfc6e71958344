//! The real function binaries over real Postgres and SQS: one database, endpoint and set of instances per test.

mod enqueue;
mod log_lines;
mod schedule;
mod start;

use std::sync::Arc;

use local::postgres::{self, Cluster};
use local::stack::{Options, Stack};
use migrate::MIGRATIONS;
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::sync::OnceCell;

const TEMPLATE: &str = "template_functions";
static CLUSTER: OnceCell<Arc<Cluster>> = OnceCell::const_new();

async fn cluster() -> Arc<Cluster> {
    let start = async || {
        let cluster = Cluster::start(postgres::Options::default()).await.expect("a private cluster starts");
        cluster.create_database(TEMPLATE).await.expect("the template is created");
        let template = PgPool::connect_with(cluster.connect_options(TEMPLATE)).await.expect("the template answers");
        for migration in MIGRATIONS {
            sqlx::raw_sql(migration.sql).execute(&template).await.expect(migration.name);
        }
        template.close().await;
        Arc::new(cluster)
    };
    Arc::clone(CLUSTER.get_or_init(start).await)
}

/// A stack without drains and without the minute of schedule: what is queued stays where a test can look at it.
async fn stack(environment: &[(&str, &str)]) -> Stack {
    let options = Options {
        cluster: Some(cluster().await),
        template: Some(TEMPLATE.to_owned()),
        apps: apps(),
        schedule_every: None,
        environment: environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        ..Options::default()
    };
    let stack = Stack::start(options).await.expect("a stack starts");
    stack.stop_drains().await;
    stack
}

fn apps() -> Value {
    let app = |topic: &str| {
        json!({"platform": "apns", "topic": topic, "environment": "sandbox", "team": "TEAM123456",
            "key_id": "KEY1234567", "key": "file:/nowhere/key.p8"})
    };
    json!({"ios": app("com.example.app"), "ipad": app("com.example.pad")})
}

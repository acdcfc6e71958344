//! A stack comes up with its schema and its queues, and leaves nothing behind.

use std::sync::Arc;

use local::postgres::{self, Cluster};
use local::sqs::Counts;
use local::stack::{DEAD_WAKES, Options, Stack, WAKES};
use sqlx::{Connection, PgConnection};

#[tokio::test]
async fn a_stack_of_its_own_is_migrated_by_the_real_function_and_removes_its_cluster() {
    let stack = Stack::start(Options { schedule_every: None, ..Options::default() }).await.unwrap();
    let mut connection = PgConnection::connect_with(&stack.connect_options()).await.unwrap();
    let lanes: i64 = sqlx::query_scalar("select count(*) from lanes").fetch_one(&mut connection).await.unwrap();
    assert_eq!(lanes, 0);
    connection.close().await.unwrap();
    assert_eq!(stack.migrate.counts().answered, 1);
    let pid = stack.migrate.pids()[0];
    let folder = stack.cluster().folder().to_owned();
    stack.stop().await.unwrap();
    assert!(!folder.exists(), "{} was left behind", folder.display());
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "an instance was left behind");
}

#[tokio::test]
async fn two_stacks_over_one_cluster_share_neither_database_nor_queue() {
    let cluster = Arc::new(Cluster::start(postgres::Options::default()).await.unwrap());
    let options = Options { cluster: Some(cluster.clone()), schedule_every: None, ..Options::default() };
    let first = Stack::start(options.clone()).await.unwrap();
    first.stop_drains().await;
    let template = first.connect_options().get_database().unwrap().to_owned();
    let second = Stack::start(Options { template: Some(template), ..options }).await.unwrap();
    second.stop_drains().await;
    assert_ne!(first.connect_options().get_database(), second.connect_options().get_database());
    first.sqs.send(WAKES, "", None).await.unwrap();
    assert_eq!(first.sqs.counts(WAKES).total(), 1);
    assert_eq!(second.sqs.counts(WAKES), Counts::default());
    assert_eq!(first.sqs.counts(DEAD_WAKES), Counts::default());
    second.stop().await.unwrap();
    first.stop().await.unwrap();
    assert!(cluster.folder().exists(), "the cluster belongs to its owner");
}

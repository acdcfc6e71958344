//! A password that is rotated while instances live.

use local::postgres::{self, Cluster};
use local::stack::{Options, Stack};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tests::barrier::soon;
use tests::pooler;
use tests::product::event;

/// A role of its own with the rights of the functions, whom Postgres asks for a password.
const ROLE: &str = r"
    create role rotated login password 'first';
    grant all on all tables in schema public to rotated;
    grant all on all sequences in schema public to rotated;
    copy (
        select line from (values
            (1, 'host all rotated 127.0.0.1/32 scram-sha-256'),
            (2, 'host all all 127.0.0.1/32 trust')
        ) as hba (place, line) order by place
    ) to program 'cat > pg_hba.conf';
    select pg_reload_conf()";

/// The connections of the role end, as after a failover: the next ones need the new password.
const ROTATE: &str = "
    alter role rotated password 'second';
    select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rotated'";

#[tokio::test(flavor = "multi_thread")]
async fn a_rotated_password_is_read_again_by_instances_that_live() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("password");
    std::fs::write(&file, "first").expect("written");
    let environment =
        [("DATABASE_USER", "rotated".to_owned()), ("DATABASE_PASSWORD", format!("file:{}", file.display()))];
    let environment = environment.map(|(name, value)| (name.to_owned(), value));
    let cluster = Cluster::start(postgres::Options::default()).await.expect("a cluster");
    let pooler = pooler::direct("behind a pooler it is the pooler that is asked for the password");
    // Migrated as the owner, in a database that the stack of the role then uses.
    let ground = Options { cluster: Some(cluster.clone()), schedule_every: None, pooler, ..Options::default() };
    let owner = Stack::start(ground.clone()).await.expect("a stack");
    let mut sql = PgConnection::connect_with(&owner.connect_options()).await.expect("the owner");
    sqlx::raw_sql(ROLE).execute(&mut sql).await.expect("a role");
    let template = owner.connect_options().get_database().expect("a database").to_owned();
    owner.stop_drains().await;
    let stack = Stack::start(Options { template: Some(template.clone()), environment: environment.into(), ..ground });
    sql.close().await.expect("closed");
    let stack = stack.await.expect("a stack");

    let mut sql = PgConnection::connect_with(&stack.connect_options()).await.expect("the owner");
    for (n, rotation) in [(1, None), (2, Some("second")), (3, None)] {
        if let Some(password) = rotation {
            sqlx::raw_sql(AssertSqlSafe(ROTATE)).execute(&mut sql).await.expect("rotated");
            std::fs::write(&file, password).expect("written");
        }
        let answer = stack.enqueue(&event(n, [0])).await.expect("an answer, also over the rotation");
        assert_eq!(answer["results"][0]["status"], "queued");
        soon(stack.apns.wait_until(|tally| tally.delivered == n)).await;
        assert!(stack.run_schedule().await.is_ok());
    }
    assert_eq!(stack.enqueue.counts().cold, 1, "it was one instance all along");
    assert_eq!(stack.schedule.counts().cold, 1);
    sql.close().await.expect("closed");
    stack.stop().await.expect("it stops");
    owner.stop().await.expect("it stops");
    cluster.stop().await.expect("it stops");
}

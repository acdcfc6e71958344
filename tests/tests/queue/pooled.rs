//! The queue behind a pooler that gives every transaction another server connection.

use std::time::Duration;

use local::postgres::Pooler;
use pushwake::contract::AppId;
use pushwake::queue::{DeadToken, Probe, Queue, Renewal};
use sqlx::postgres::PgPoolOptions;
use tests::database::{Database, cluster};
use tests::drive::{APP, complete, head, queue};
use tests::pooler::{Session, sessions};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PgBouncer, which `.ci/run` installs before it runs this"]
async fn c2s_every_statement_finds_its_own_transaction_whichever_server_connection_it_is_given() {
    let database = Database::new().await;
    let pooler = Pooler::start(cluster().await, 2).await.expect("a pooler starts");
    let options = database.options().port(pooler.port()).statement_cache_capacity(0).extra_float_digits(None);
    // From now on there are two, and they take turns.
    let before = sessions(&options).await;
    let behind = Queue::new(PgPoolOptions::new().max_connections(1).connect_lazy_with(options.clone()), false);
    let app = AppId::from(APP);
    for n in 0..3 {
        queue(&behind, &format!("E{n}"), "d").await;
        assert!(behind.spend_quota(&"tests".into(), 1, 10).await.expect("a quota"));
        let claimed = head(&behind).await;
        assert_eq!(behind.renew(std::slice::from_ref(&claimed.lease)).await.expect("a renewal"), [Renewal::Renewed]);
        assert_eq!(behind.renew_waiting(&claimed.lease).await.expect("a renewal"), Renewal::Renewed);
        complete(&behind, &claimed).await;
        let dead = DeadToken {
            app: app.clone(),
            device: "d".into(),
            token_hash: vec![n],
            reason: "Unregistered".into(),
            dead_at: None,
            source: "tests".into(),
            event: format!("E{n}").as_str().into(),
        };
        behind.mark_dead(&[dead]).await.expect("a dead token");
        behind.pause(&app, "Shutdown", None).await.expect("a pause");
        database.execute("update pauses set until = clock_timestamp() - interval '1 ms'").await;
        assert!(matches!(behind.take_probe(&app).await.expect("a probe"), Probe::Ours { .. }));
        behind.give_probe_back(&app).await.expect("a probe");
        let taken = behind.take_unposted(10).await.expect("the outbox");
        assert!(taken.len() >= 2, "{taken:?}");
        behind.mark_posted(&taken).await.expect("the outbox");
        behind.resume(&app).await.expect("a resumption");
        let over = behind.take_unposted(10).await.expect("the outbox");
        behind.give_unposted_back(&over).await.expect("the outbox");
        behind.prune(Duration::from_secs(5)).await.expect("a prune");
        behind.backlog(None).await.expect("a backlog");
    }
    let after = sessions(&options).await;
    assert!(before.iter().all(|one| after.iter().any(|other| one.pid == other.pid)), "the same two: {after:?}");
    assert!(after.iter().all(Session::is_clean), "{after:?}");
}

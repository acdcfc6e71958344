//! The outbox in Postgres: leases, marks, and what is newer than a mark.

use pushwake::contract::AppId;
use pushwake::feedback::Feedback;
use pushwake::queue::{DeadToken, Queue, Unposted};
use tests::database::Database;
use tests::drive::{APP, from_now};
use time::OffsetDateTime;

use crate::{plant, unposted};

const LEASES_OVER: &str = "update dead_tokens set posting_until = now();
    update pauses set posting_until = now(); update past_pauses set posting_until = now()";

async fn take(queue: &Queue, n: usize) -> Vec<Unposted> {
    queue.take_unposted(n).await.expect("the outbox")
}

fn dead(dead_at: OffsetDateTime) -> DeadToken {
    DeadToken {
        app: APP.into(),
        device: "d".into(),
        token_hash: b"hash".to_vec(),
        reason: "Unregistered".into(),
        dead_at: Some(dead_at),
        source: "tests".into(),
        event: "E".into(),
    }
}

fn dead_since(row: &Unposted) -> OffsetDateTime {
    let Feedback::Unregistered { time, .. } = row.message.feedback else { panic!("{row:?}") };
    time
}

#[tokio::test]
async fn what_a_poster_has_taken_others_pass_over_until_its_lease_ends() {
    let database = Database::new().await;
    let queue = database.queue(1);
    plant(&database, 15).await;
    assert_eq!((take(&queue, 10).await.len(), take(&queue, 10).await.len(), take(&queue, 10).await.len()), (10, 5, 0));
    // Both died.
    database.execute(LEASES_OVER).await;
    assert_eq!(take(&queue, 20).await.len(), 15);
}

#[tokio::test]
async fn the_oldest_are_taken_first_and_what_is_given_back_is_taken_again() {
    let database = Database::new().await;
    let queue = database.queue(1);
    plant(&database, 9).await;
    let device = |row: &Unposted| {
        let Feedback::Unregistered { device, .. } = &row.message.feedback else { panic!("{row:?}") };
        device.as_str().to_owned()
    };
    let first = take(&queue, 3).await;
    assert_eq!(first.iter().map(device).collect::<Vec<_>>(), ["d9", "d8", "d7"]);
    queue.mark_posted(&first[..1]).await.expect("a mark");
    queue.give_unposted_back(&first[1..]).await.expect("a gift");
    assert_eq!(take(&queue, 3).await.iter().map(device).collect::<Vec<_>>(), ["d8", "d7", "d6"]);
    assert_eq!(unposted(&database).await, 8);
}

#[tokio::test]
async fn a_verdict_that_replaced_the_one_being_posted_is_posted_too() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let (old, new) = (from_now(-60).replace_nanosecond(0), from_now(-30).replace_nanosecond(0));
    let (old, new) = (old.expect("a whole second"), new.expect("a whole second"));
    tests::drive::queue(&queue, "E", "d").await;
    queue.mark_dead(&[dead(old)]).await.expect("a verdict");
    let posting = take(&queue, 1).await;
    queue.mark_dead(&[dead(new)]).await.expect("a newer verdict");
    queue.mark_posted(&posting).await.expect("a mark");
    let newer = take(&queue, 1).await;
    assert_eq!((dead_since(&posting[0]), dead_since(&newer[0])), (old, new));
    queue.mark_posted(&newer).await.expect("a mark");
    // The same verdict again says nothing new, and neither does an older one.
    queue.mark_dead(&[dead(new)]).await.expect("a verdict");
    queue.mark_dead(&[dead(old)]).await.expect("a verdict");
    assert_eq!(unposted(&database).await, 0);
}

#[tokio::test]
async fn a_pause_that_grew_while_it_was_posted_is_posted_again() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let app = AppId::from(APP);
    let over = "update pauses set until = now() - interval '1 s'";
    queue.pause(&app, "BadTopic", None).await.expect("a pause");
    let posting = take(&queue, 1).await;
    database.execute(over).await;
    queue.pause(&app, "BadTopic", None).await.expect("a longer pause");
    queue.mark_posted(&posting).await.expect("a mark");
    let longer = take(&queue, 9).await;
    assert_eq!(longer.len(), 1);
    queue.mark_posted(&longer).await.expect("a mark");
    // Failures of the same window are the same pause.
    queue.pause(&app, "BadTopic", None).await.expect("the same pause");
    assert_eq!(unposted(&database).await, 0);
    let until = |row: &Unposted| match row.message.feedback {
        Feedback::Paused { time, until, .. } => (until - time).whole_seconds(),
        ref other => panic!("{other:?}"),
    };
    assert_eq!((until(&posting[0]), until(&longer[0])), (10, 20));
}

#[tokio::test]
async fn whole_apps_come_before_tokens() {
    let database = Database::new().await;
    let queue = database.queue(1);
    plant(&database, 5).await;
    queue.pause(&"android".into(), "QUOTA_EXCEEDED", None).await.expect("a pause");
    queue.pause(&"web".into(), "BadVapid", None).await.expect("a pause");
    queue.resume(&"web".into()).await.expect("its end");
    let kinds: Vec<_> = take(&queue, 4).await.iter().map(|row| row.message.to_json()).collect();
    let is = |n: usize, kind: &str| kinds[n].contains(&format!(r#""kind":"{kind}""#));
    assert!(is(0, "paused") && is(1, "resumed") && is(2, "unregistered") && is(3, "unregistered"), "{kinds:?}");
}

#[tokio::test]
async fn the_outbox_is_read_by_its_index_in_front_of_100_000_tokens_that_are_posted() {
    let database = Database::new().await;
    plant(&database, 100_000).await;
    database.execute("update dead_tokens set posted_at = now(); analyze dead_tokens").await;
    plant_more(&database).await;
    let (_, statement) =
        pushwake::queue::statements::ALL.iter().find(|(name, _)| *name == "dead_tokens_take").expect("it");
    let mut connection = database.pool.acquire().await.expect("a connection");
    let explain = format!("set plan_cache_mode = force_generic_plan; prepare take as {statement}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(explain)).execute(&mut *connection).await.expect("a statement");
    let plan: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe("explain execute take (100, 30)"))
        .persistent(false)
        .fetch_all(&mut *connection)
        .await
        .expect("a plan");
    let plan = plan.join("\n");
    assert!(plan.contains("dead_tokens_outbox") && plan.contains("dead_tokens_pkey"), "{plan}");
    assert!(!plan.contains("Seq Scan on dead_tokens"), "{plan}");
}

async fn plant_more(database: &Database) {
    database
        .execute(
            "insert into dead_tokens (app, token_hash, device, reason, dead_at, recorded_at)
             select 'android', int4send(n), 'd' || n, 'Gone', now(), now() from generate_series(1, 50) as n",
        )
        .await;
}

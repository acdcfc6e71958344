//! G6: 200,000 lanes of a paused app cost the others nothing, in plans and in pages. Nothing here is timed.

use pushwake::contract::AppId;
use pushwake::limits::{CLAIM_TTL, DRAINS};
use pushwake::queue::statements::ALL;
use pushwake::queue::{Claim, Probe, Want};
use serde_json::Value;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Postgres, Row};
use tests::database::Database;
use uuid::Uuid;

const PAUSED: &str = "a-paused";
const OTHERS: [&str; 2] = ["b", "c"];

/// `lanes` due lanes of a paused app, and a few hundred of the others.
async fn plant(paused_lanes: usize) -> Database {
    let database = Database::new().await;
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select app, 'd' || n, 'tests', 'E', 'alert', 1, '{{}}', '{{}}', now() - interval '1 s',
                 now() + interval '1 hour'
             from (values ('{PAUSED}', {paused_lanes}), ('b', 150), ('c', 150)) as apps (app, lanes)
             cross join lateral generate_series(1, lanes) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select app, device, seq, send_at, send_at from notifications;
             insert into pauses (app, until, reason, step) values ('{PAUSED}', now() + interval '1 hour', 'Shutdown', 0)"
        ))
        .await;
    database.execute("vacuum analyze").await;
    database
}

fn statement(name: &str) -> &'static str {
    ALL.iter().find(|(other, _)| *other == name).expect(name).1
}

/// What a statement does under its generic plan; it is rolled back.
async fn plan<'q>(
    database: &Database,
    name: &str,
    bind: impl FnOnce(Query<'q, Postgres, PgArguments>) -> Query<'q, Postgres, PgArguments>,
) -> Value {
    let mut connection = PgConnection::connect_with(&database.options()).await.unwrap();
    sqlx::raw_sql("begin; set local plan_cache_mode = force_generic_plan").execute(&mut connection).await.unwrap();
    let explain = format!("explain (analyze, buffers, timing off, format json) {}", statement(name));
    let row = bind(sqlx::query(AssertSqlSafe(explain))).fetch_one(&mut connection).await.unwrap();
    row.try_get::<Value, _>(0).unwrap()[0]["Plan"].clone()
}

fn pages(node: &Value) -> i64 {
    node["Shared Hit Blocks"].as_i64().unwrap() + node["Shared Read Blocks"].as_i64().unwrap()
}

/// The pages that scans of the claim's index read.
fn pages_of_scans(node: &Value) -> i64 {
    let own = if node["Index Name"] == "lanes_due" { pages(node) } else { 0 };
    own + node["Plans"].as_array().into_iter().flatten().map(pages_of_scans).sum::<i64>()
}

/// What a claim of all apps reads: to find what it leases, and in all.
async fn pages_of_a_claim(database: &Database) -> (i64, i64) {
    let apps: Vec<String> = [PAUSED].into_iter().chain(OTHERS).map(String::from).collect();
    let key = plan(database, "claim_key", |query| query.bind(7_i64).bind(apps).bind(false)).await;
    let lease = plan(database, "claim_lease", |query| {
        query
            .bind(OTHERS.map(String::from).to_vec())
            .bind(vec![6; 2])
            .bind(vec![42; 2])
            .bind(Uuid::new_v4())
            .bind(30.0)
            .bind(CLAIM_TTL.as_secs_f64())
    });
    let lease = lease.await;
    (pages(&key) + pages_of_scans(&lease), pages(&key) + pages(&lease))
}

#[tokio::test]
async fn a_paused_app_with_200_000_lanes_costs_a_claim_of_the_others_no_page_more() {
    let (few, many) = (plant(300).await, plant(200_000).await);
    let (before, _) = pages_of_a_claim(&few).await;
    let (found, in_all) = pages_of_a_claim(&many).await;
    // The index is a level or two deeper, for each of four ranges.
    assert!(found <= before + 8, "{found} {before}");
    assert!(in_all <= 84 * 10, "as many as it leases ask for: {in_all}");
    let apps: Vec<AppId> = [PAUSED].into_iter().chain(OTHERS).map(AppId::from).collect();
    let queue = many.queue(1);
    let Claim::Claimed(claimed) = queue.claim(&Want { apps: &apps, n: 84, turn: 0, probe: false }).await.unwrap()
    else {
        panic!("the others have work");
    };
    assert_eq!(claimed.heads.len(), 84, "no place is kept for what may not be sent");
    assert!(claimed.heads.iter().all(|head| head.lease.app.as_str() != PAUSED));
}

#[tokio::test]
async fn the_backlog_and_the_probe_of_a_paused_app_with_200_000_lanes_cost_a_few_pages() {
    let (few, many) = (plant(300).await, plant(200_000).await);
    let mut read = Vec::new();
    for database in [&few, &many] {
        let plan = plan(database, "backlog", |query| query.bind(None::<Vec<String>>).bind(DRAINS as i64)).await;
        read.push(pages(&plan));
    }
    assert!(read[1] <= read[0] + 24, "{read:?}");
    let queue = many.queue(1);
    assert_eq!(queue.backlog(None).await.unwrap().due, 2 * DRAINS, "of the others");
    many.execute("update pauses set until = now() - interval '1 s'").await;
    assert_eq!(queue.backlog(None).await.unwrap().due, 2 * DRAINS + 1, "and one for the probe");
    let app = AppId::from(PAUSED);
    assert!(matches!(queue.take_probe(&app).await.unwrap(), Probe::Ours { .. }));
    let want = Want { apps: std::slice::from_ref(&app), n: 1, turn: 0, probe: true };
    let Claim::Claimed(claimed) = queue.claim(&want).await.unwrap() else { panic!("the probe has a head") };
    assert_eq!(claimed.heads.len(), 1);
}

//! G6: what statements cost, in plans and in pages, whatever the backlog's shape. Nothing here is timed.

use pushwake::limits::CLAIM_TTL;
use pushwake::queue::statements::ALL;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use tests::database::Database;
use tests::drive::{self, batch, complete, heads};
use uuid::Uuid;

const APPS: [&str; 3] = ["app-0", "app-1", "app-2"];

/// `lanes` lanes over three apps, each with one notification, due since a second ago (or for `old`, since long).
async fn plant(database: &Database, lanes: usize, due: &str) {
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select 'app-' || n % 3, 'd' || n, 'tests', 'E', 'alert', 1, '{{}}', '{{}}', now() - interval '{due}',
                 now() + interval '1 hour'
             from generate_series(1, {lanes}) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select app, device, seq, send_at, send_at from notifications"
        ))
        .await;
}

/// The planner's settings of a claim: without them the plan for a small table depends on its statistics.
const AS_CLAIMS_RUN: &str = "set local enable_seqscan = off; set local enable_hashjoin = off;
    set local enable_mergejoin = off";

/// The pages that the lease of a claim reads.
async fn pages_of_lease(database: &Database) -> i64 {
    pages(&explain_lease(database, AS_CLAIMS_RUN, "analyze, buffers, timing off", 28).await)
}

/// Explains the lease of a claim under the generic plan, and rolls it back.
async fn explain_lease(database: &Database, settings: &str, options: &str, n: i32) -> Value {
    let lease = ALL.iter().find(|(name, _)| *name == "claim_lease").unwrap().1;
    let mut connection = PgConnection::connect_with(&database.options()).await.unwrap();
    let begin = format!("begin; set local plan_cache_mode = force_generic_plan; {settings}");
    sqlx::raw_sql(AssertSqlSafe(begin)).execute(&mut connection).await.unwrap();
    let statement = format!("explain ({options}, format json) {lease}");
    let row = sqlx::query(AssertSqlSafe(statement))
        .bind(APPS.map(String::from).to_vec())
        .bind(vec![(n + 7) / 8; 3])
        .bind(vec![n; 3])
        .bind(Uuid::new_v4())
        .bind(30.0)
        .bind(CLAIM_TTL.as_secs_f64())
        .fetch_one(&mut connection)
        .await
        .unwrap();
    row.try_get::<Value, _>(0).unwrap()[0]["Plan"].clone()
}

/// Every node of a plan.
fn nodes(plan: &Value) -> Vec<&Value> {
    let mut found = vec![plan];
    for child in plan["Plans"].as_array().into_iter().flatten() {
        found.extend(nodes(child));
    }
    found
}

fn pages(plan: &Value) -> i64 {
    plan["Shared Hit Blocks"].as_i64().unwrap() + plan["Shared Read Blocks"].as_i64().unwrap()
}

#[tokio::test]
async fn the_generic_plan_of_a_claim_reads_indexes_in_order_at_200_000_lanes_over_three_apps() {
    let database = Database::new().await;
    plant(&database, 200_000, "1 s").await;
    database.execute("analyze").await;
    let plan = explain_lease(&database, "", "costs off", 28).await;
    let on_lanes: Vec<&Value> = nodes(&plan).into_iter().filter(|node| node["Relation Name"] == "lanes").collect();
    let scans: Vec<_> = on_lanes.iter().filter(|node| node["Node Type"] != "ModifyTable").collect();
    assert!(scans.len() >= 3, "{plan:#}");
    for scan in scans {
        assert_eq!(scan["Node Type"], "Index Scan", "{plan:#}");
        let condition = scan["Index Cond"].as_str().unwrap();
        let filter = scan["Filter"].as_str().unwrap_or_default();
        assert!(!filter.contains("due_at"), "both ends of a range are index conditions: {filter}");
        match scan["Index Name"].as_str().unwrap() {
            "lanes_due" => assert!(condition.contains("due_at"), "the clock is an index condition: {condition}"),
            "lanes_pkey" => assert!(condition.contains("app") && condition.contains("device"), "{condition}"),
            other => panic!("{other}"),
        }
    }
    assert!(nodes(&plan).iter().all(|node| node["Node Type"] != "Sort"), "nothing that is due is sorted: {plan:#}");
}

#[tokio::test]
async fn a_claim_reads_as_many_pages_in_front_of_200_000_lanes_as_in_front_of_300() {
    let mut read = Vec::new();
    for (lanes, due) in [(300, "1 s"), (200_000, "1 s"), (200_000, "1 hour")] {
        let database = Database::new().await;
        plant(&database, lanes, due).await;
        database.execute("vacuum analyze").await;
        read.push(pages_of_lease(&database).await);
    }
    // the depth of an index grows by a page or two a lookup, and rows lie farther apart
    assert!(read[1] < read[0] * 3 && read[2] < read[0] * 3, "{read:?}");
}

#[tokio::test]
async fn c48_a_device_with_50_000_rows_costs_the_others_nothing() {
    let (plain, database) = (Database::new().await, Database::new().await);
    let mut read = Vec::new();
    for (database, hot) in [(&plain, 1), (&database, 50_000)] {
        plant(database, 300, "1 s").await;
        plant_hot(database, hot).await;
        database.execute("vacuum analyze").await;
        read.push(pages_of_lease(database).await);
    }
    assert!(read[1] <= read[0] + 28, "at most a page more for each of its lanes: {read:?}");
    // the hot lane itself moves on in order, at the same cost for each head
    let queue = database.queue(1);
    for n in 0..200 {
        let want = pushwake::queue::Want { apps: &["app-0".into()], n: 1, turn: 1, probe: false };
        let pushwake::queue::Claim::Claimed(claimed) = queue.claim(&want).await.unwrap() else { panic!("claimed") };
        let head = &claimed.heads[0];
        if head.lease.device.as_str() == "hot" {
            assert_eq!(drive::event(head), format!("E{}", n + 1), "in order, and first in line again and again");
        }
        complete(&queue, head).await;
    }
}

/// One device of the first app with `rows` notifications, first in line.
async fn plant_hot(database: &Database, rows: usize) {
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select 'app-0', 'hot', 'tests', 'E' || n, 'alert', 1, '{{}}', '{{}}',
                 now() - interval '2 s' + n * interval '1 us', now() + interval '1 hour'
             from generate_series(1, {rows}) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select app, device, seq, send_at, send_at from notifications where device = 'hot' order by seq limit 1"
        ))
        .await;
}

#[tokio::test]
async fn the_first_claim_of_a_fresh_burst_and_its_renewals_are_heap_only_updates() {
    let database = Database::new().await;
    // an analyze that happens by keeps old versions visible
    database.execute("alter table lanes set (autovacuum_enabled = false)").await;
    let queue = database.queue(1);
    for call in 0..4 {
        let devices: Vec<String> = (0..500).map(|n| format!("d{call}-{n}")).collect();
        queue.enqueue(&batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap();
    }
    let before = hot_updates(&database, &queue).await;
    let mut leases = Vec::new();
    loop {
        let claimed = heads(&queue, 84).await;
        if claimed.is_empty() {
            break;
        }
        leases.extend(claimed.into_iter().map(|head| head.lease));
    }
    assert_eq!(leases.len(), 2_000);
    let claimed = hot_updates(&database, &queue).await;
    queue.renew(&leases).await.unwrap();
    let renewed = hot_updates(&database, &queue).await;
    for (step, (from, to)) in [("claims", (before, claimed)), ("renewals", (claimed, renewed))] {
        let (updates, hot) = (to.0 - from.0, to.1 - from.1);
        assert_eq!(updates, 2_000, "{step}");
        assert!(hot * 100 >= updates * 95, "{hot} of {updates} {step} were heap-only");
    }
}

/// Updates of lanes and how many of them were heap-only, once the queue's connection has reported them.
async fn hot_updates(database: &Database, queue: &pushwake::queue::Queue) -> (i64, i64) {
    let counters = || async {
        queue.backlog(None).await.unwrap();
        let lanes = "from pg_stat_user_tables where relname = 'lanes'";
        let updates = database.count(&format!("select n_tup_upd {lanes}")).await;
        (updates, database.count(&format!("select n_tup_hot_upd {lanes}")).await)
    };
    // a backend reports at most once a second, at the end of a transaction
    let mut last = counters().await;
    for _ in 0..200 {
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        last = counters().await.max(last);
    }
    last
}

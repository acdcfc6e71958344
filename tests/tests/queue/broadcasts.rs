//! G6: one event for very many devices, called for 500 at a time, among many that are for one device each.

use pushwake::queue::statements::ALL;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use tests::database::Database;

/// The generic plan of a statement under the settings of an enqueue, with null for every parameter.
async fn generic_plan(database: &Database, name: &str, parameters: usize) -> Value {
    let statement = ALL.iter().find(|(file, _)| *file == name).unwrap().1;
    let mut connection = PgConnection::connect_with(&database.options()).await.unwrap();
    let settings = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
        set enable_hashjoin = off; set enable_mergejoin = off";
    let prepare = format!("{settings}; prepare statement as {statement}");
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut connection).await.unwrap();
    let nulls = vec!["null"; parameters].join(", ");
    let explain = format!("explain (costs off, format json) execute statement({nulls})");
    let row = sqlx::raw_sql(AssertSqlSafe(explain)).fetch_one(&mut connection).await.unwrap();
    row.try_get::<Value, _>(0).unwrap()[0]["Plan"].clone()
}

/// Every scan of receipts in a plan.
fn scans(plan: &Value) -> Vec<&Value> {
    let own = (plan["Relation Name"] == "receipts" && plan["Node Type"] != "ModifyTable").then_some(plan);
    own.into_iter().chain(plan["Plans"].as_array().into_iter().flatten().flat_map(scans)).collect()
}

#[tokio::test]
async fn a_call_looks_receipts_up_by_device_even_where_the_statistics_take_its_event_for_a_rare_one() {
    let database = Database::new().await;
    database
        .execute(
            "insert into receipts (source, event, app, device, fingerprint, seq, keep_until)
             select 'tests', 'E' || n, 'ios-prod', 'd' || n, 'content', n, now() + interval '1 day'
             from generate_series(1, 20000) as n;
             analyze receipts",
        )
        .await;
    for (statement, parameters) in [("enqueue_read", 9), ("dismiss_delete", 4)] {
        let plan = generic_plan(&database, statement, parameters).await;
        let scans = scans(&plan);
        assert!(!scans.is_empty(), "{plan:#}");
        for scan in scans {
            let by = scan["Index Cond"].as_str().unwrap_or_default();
            assert!(by.contains("(device = "), "{statement} reads an event as a whole: {plan:#}");
        }
    }
}

//! What a look and a forget cost: lookups by key in front of any backlog. Nothing here is timed.

use pushwake::queue::statements::ALL;
use tests::database::Database;

const BROADCAST: usize = 50_000;

/// A broadcast, its receipts and dismissals, and verdicts against tokens; statistics that tell how big all of it is.
async fn plant() -> Database {
    let database = Database::new().await;
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select 'app-' || n % 3, 'd' || n, 'tests', 'E' || n % 2, 'alert', 1, '{{}}', '{{}}', now(),
                 now() + interval '1 hour'
             from generate_series(1, {BROADCAST}) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select app, device, seq, send_at, send_at from notifications;
             insert into receipts (source, event, app, device, fingerprint, seq, keep_until)
             select source, event, app, device, '', seq, now() + interval '1 day' from notifications;
             insert into dismissals (source, event, app, device, dismissed_at)
             select source, event, app, device, now() from receipts where seq % 5 = 0;
             insert into dead_tokens (app, token_hash, device, reason, dead_at, recorded_at)
             select app, int4send(seq::int), device, 'Gone', now(), now() from receipts"
        ))
        .await;
    database.execute("vacuum analyze").await;
    database
}

/// The generic plan of a statement under the settings of its transaction.
pub async fn plan(database: &Database, name: &str, arguments: &str) -> String {
    let statement = ALL.iter().find(|(known, _)| *known == name).expect(name).1;
    let mut connection = database.pool.acquire().await.expect("a connection");
    let prepare = format!(
        "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off;
         set enable_mergejoin = off; deallocate all; prepare asked as {statement}"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(prepare)).execute(&mut *connection).await.expect(name);
    let arguments = if arguments.is_empty() { String::new() } else { format!("({arguments})") };
    let explain = format!("explain (analyze, buffers, timing off) execute asked {arguments}");
    let lines: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(explain))
        .persistent(false)
        .fetch_all(&mut *connection)
        .await
        .expect(name);
    lines.join("\n")
}

/// The pages that a plan has read, by its first line with buffers: the whole of it.
pub fn pages(plan: &str) -> i64 {
    let buffers = plan.lines().find(|line| line.contains("Buffers:")).unwrap_or_default();
    let numbers = buffers.split(['=', ' ']).filter_map(|word| word.parse::<i64>().ok());
    numbers.sum()
}

#[tokio::test]
async fn a_look_at_a_broadcast_of_50_000_devices_reads_what_it_shows() {
    let database = plant().await;
    let column = |of: fn(usize) -> String| (1..=500).map(of).collect::<Vec<_>>().join("','");
    let columns = [column(|_| "tests".into()), column(|n| format!("E{}", n % 2)), column(|n| format!("app-{}", n % 3))];
    let wanted = [&columns[..], &[column(|n| format!("d{n}"))]].concat();
    let wanted: Vec<_> = wanted.iter().map(|column| format!("array['{column}']")).collect();
    for (name, arguments, most) in [
        ("inspect_event", "null, 'E1', 501", 3_000),
        ("inspect_event", "'tests', 'E1', 501", 3_000),
        // for each of 500: five tables, an index of three levels and a row each, twice for the lane
        ("inspect_standings", &format!("{}, 256", wanted.join(", ")), 500 * 6 * 4),
        ("inspect_apps", "null, 'd77', 256", 60),
        ("inspect_device", "array['app-2'], 'd77', 101", 40),
        ("inspect_dead_tokens", "array['app-2'], 'd77', 101", 20),
        ("inspect_pauses", "array['app-2']", 10),
        ("forget_look", "'app-2', 'd77'", 40),
        ("forget_dead_tokens", "'app-2', 'd77', array['x'::bytea]", 60),
        ("forget_rows", "'app-2', 'd77', 2000", 250),
    ] {
        let plan = plan(&database, name, arguments).await;
        for table in ["lanes", "notifications", "receipts", "dismissals", "dead_tokens"] {
            assert!(!plan.contains(&format!("Seq Scan on {table}")), "{name}: {plan}");
        }
        assert!(pages(&plan) <= most, "{name} reads {} pages: {plan}", pages(&plan));
    }
}

//! Deliveries per second of the queue, side by side with the design it grew from, over one Postgres in one run:
//! `cargo bench --bench queue` (`-- --backlog 1000000` for the large one, `-- --help` for the rest).
//!
//! The baseline claims one delivery at a time: under a shared claim lock it takes the first due row that no earlier row
//! of its device precedes. Both sides claim and finish over twelve connections, without a provider between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use pushwake::contract::AppId;
use pushwake::limits::{DRAINS, WINDOW};
use pushwake::queue::{Claim, Finish, Queue, Step, Want};
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection, PgConnection, PgPool, Row};
use tests::database::Database;
use tests::drive::APP;

/// What to measure.
#[derive(Parser)]
struct Options {
    /// Due notifications in front of which is measured.
    #[arg(long, default_value_t = 500_000)]
    backlog: u64,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Notifications of one hot device, first in line.
    #[arg(long, default_value_t = 50_000)]
    hot: u64,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

const BASELINE: &str = "
    create table deliveries (
        seq bigint generated always as identity primary key,
        device text collate \"C\" not null,
        send_at timestamptz not null,
        lease_until timestamptz not null default '-infinity'
    );
    create index deliveries_due on deliveries (send_at, seq);
    create index deliveries_device on deliveries (device, seq)";

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let options = Options::parse();
    let time = Duration::from_secs(options.seconds);
    println!("deliveries per second, {DRAINS} connections, {} s for each figure", options.seconds);
    println!("{:<42} {:>10} {:>10} {:>8}", "", "baseline", "pushwake", "times");
    for (name, rows, hot) in [
        ("20,000 due, one for each device".to_owned(), 20_000, 0),
        (format!("{} due, one for each device", options.backlog), options.backlog, 0),
        (format!("20,000 due behind a device with {}", options.hot), 20_000, options.hot),
    ] {
        let database = Database::new().await;
        plant(&database, rows, hot).await;
        let baseline = rate(&database, time, baseline).await;
        let pushwake = rate(&database, time, pushwake).await;
        println!("{name:<42} {baseline:>10.0} {pushwake:>10.0} {:>8.1}", pushwake / baseline);
        let cluster = tests::database::cluster().await;
        database.pool.close().await;
        cluster.drop_database(&database.name).await.expect("the database goes");
    }
}

/// The same rows for both sides.
async fn plant(database: &Database, rows: u64, hot: u64) {
    database.execute(BASELINE).await;
    for (device, n) in [("'hot'", hot), ("'d' || n", rows)] {
        let due = "now() - interval '1 min' + n * interval '10 us'";
        database
            .execute(&format!(
                "insert into deliveries (device, send_at) select {device}, {due} from generate_series(1, {n}) as n;
                 insert into notifications
                     (app, device, source, event, kind, format, payload, target, send_at, expires_at)
                 select '{APP}', {device}, 'bench', 'E' || n, 'alert', 1, '{{}}', '{{}}', {due},
                     now() + interval '1 hour'
                 from generate_series(1, {n}) as n"
            ))
            .await;
    }
    database
        .execute(
            "insert into lanes (app, device, head, head_at, due_at)
             select distinct on (app, device) app, device, seq, send_at, send_at
             from notifications order by app, device, send_at, seq",
        )
        .await;
    database.execute("vacuum analyze").await;
}

/// Runs `drain` on twelve connections for `time`, and counts what it finished.
async fn rate<F: Future<Output = u64> + Send + 'static>(
    database: &Database,
    time: Duration,
    drain: impl Fn(PgPool, Arc<AtomicBool>) -> F,
) -> f64 {
    let (stop, finished) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let start = Instant::now();
    let drains: Vec<_> = (0..DRAINS)
        .map(|_| {
            let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(database.options());
            let (drain, finished) = (drain(pool, stop.clone()), finished.clone());
            tokio::spawn(async move { finished.fetch_add(drain.await, Ordering::Relaxed) })
        })
        .collect();
    tokio::time::sleep(time).await;
    stop.store(true, Ordering::Relaxed);
    for drain in drains {
        drain.await.expect("a drain ends");
    }
    finished.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64()
}

async fn baseline(pool: PgPool, stop: Arc<AtomicBool>) -> u64 {
    let mut finished = 0;
    let mut connection = pool.acquire().await.expect("a connection");
    while !stop.load(Ordering::Relaxed) {
        let Some(seq) = claim_one(&mut connection).await.expect("a claim of the baseline") else { break };
        sqlx::query("delete from deliveries where seq = $1")
            .bind(seq)
            .execute(&mut *connection)
            .await
            .expect("a finish");
        finished += 1;
    }
    finished
}

async fn claim_one(connection: &mut PgConnection) -> sqlx::Result<Option<i64>> {
    let mut transaction = connection.begin().await?;
    sqlx::query("select pg_advisory_xact_lock(1)").execute(&mut *transaction).await?;
    let claimed = sqlx::query(
        "update deliveries set lease_until = now() + interval '30 s' where seq = (
             select seq from deliveries as head
             where send_at <= now() and lease_until <= now()
                 and not exists (select from deliveries as earlier
                     where earlier.device = head.device and earlier.seq < head.seq)
             order by send_at, seq limit 1 for update skip locked)
         returning seq",
    )
    .fetch_optional(&mut *transaction)
    .await?;
    transaction.commit().await?;
    claimed.map(|row| row.try_get("seq")).transpose()
}

async fn pushwake(pool: PgPool, stop: Arc<AtomicBool>) -> u64 {
    let queue = Queue::new(pool, true);
    let apps = [AppId::from(APP)];
    let (mut finished, mut turn) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        turn += 1;
        match queue.claim(&Want { apps: &apps, n: WINDOW, turn, probe: false }).await.expect("a claim") {
            Claim::Claimed(claimed) => {
                let batch: Vec<Finish> = claimed
                    .heads
                    .into_iter()
                    .map(|head| Finish { lease: head.lease, step: Step::Complete, rest: None })
                    .collect();
                finished += batch.len() as u64;
                queue.finish(&batch).await.expect("a finish");
            }
            Claim::Contended | Claim::Yielded => {}
            Claim::Empty => break,
        }
    }
    finished
}

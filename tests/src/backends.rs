//! The connections of a database, watched in `pg_stat_activity`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sqlx::{Connection, PgConnection};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::database::Database;

/// Short enough to see a connection that lives for one statement.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Watches until it is asked what it saw.
pub struct Watch {
    stop: CancellationToken,
    watching: JoinHandle<Seen>,
}

/// What was seen of the functions' connections.
#[derive(Debug, Default)]
pub struct Seen {
    /// The most connections at once, by application name.
    pub peak: BTreeMap<String, i64>,
    /// Looks that found a connection of drain waiting for the lock of a row, a transaction or a key.
    pub drains_blocked: u32,
    /// Looks.
    pub looks: u32,
    drains: Vec<(Instant, i64)>,
}

impl Seen {
    /// The most connections of drain that were there throughout `during`. A connection that its drain gave up is still
    /// seen until Postgres has noticed.
    pub fn standing(&self, during: Duration) -> i64 {
        let windows = self.drains.iter().enumerate().filter_map(|(n, (from, _))| {
            let looks = &self.drains[n..];
            let end = looks.iter().position(|(at, _)| at.duration_since(*from) >= during)?;
            looks[..=end].iter().map(|(_, connections)| *connections).min()
        });
        windows.max().unwrap_or_default()
    }
}

impl Watch {
    /// Starts to watch, on a connection of its own.
    pub async fn start(database: &Database) -> Self {
        let connection = PgConnection::connect_with(&database.options()).await.expect("the watch's own connection");
        let stop = CancellationToken::new();
        let watching = tokio::spawn(watch(connection, stop.clone()));
        Self { stop, watching }
    }

    /// Stops, and answers what was seen.
    pub async fn stop(self) -> Seen {
        self.stop.cancel();
        self.watching.await.expect("the watch does not panic")
    }
}

async fn watch(mut connection: PgConnection, stop: CancellationToken) -> Seen {
    let mut seen = Seen::default();
    while !stop.is_cancelled() {
        let rows: Vec<(String, i64, bool)> = sqlx::query_as(
            "select application_name, count(*),
                coalesce(bool_or(wait_event_type = 'Lock' and wait_event in ('tuple', 'transactionid', 'advisory')), false)
             from pg_stat_activity
             where datname = current_database() and application_name <> ''
             group by application_name",
        )
        .fetch_all(&mut connection)
        .await
        .expect("pg_stat_activity");
        seen.looks += 1;
        let drains = rows.iter().find(|(name, ..)| name == "drain").map_or(0, |(_, connections, _)| *connections);
        seen.drains.push((Instant::now(), drains));
        for (name, connections, blocked) in rows {
            seen.drains_blocked += u32::from(blocked && name == "drain");
            let peak = seen.peak.entry(name).or_default();
            *peak = connections.max(*peak);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    seen
}

//! The suite behind a pooler in transaction mode.
//!
//! With `PUSHWAKE_TEST_POOLER=1` every queue of a test and every function of a product but migrate connects through
//! `PgBouncer`. What a test itself looks at and moves stays on connections of its own.

use local::postgres::{Cluster, Pooler};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, Row};
use tokio::sync::OnceCell;

/// Of each test's database: fewer than it has clients, so that they take turns, and more than ever wait for one another.
const SERVERS: usize = 6;
static POOLER: OnceCell<Option<Pooler>> = OnceCell::const_new();

/// Starts the binary's pooler, if the suite is to run behind one.
pub(crate) async fn start(cluster: &Cluster) {
    POOLER.get_or_init(|| before(cluster)).await;
}

/// A pooler of a test's own cluster, if the suite is to run behind one.
pub async fn before(cluster: &Cluster) -> Option<Pooler> {
    let wanted = std::env::var("PUSHWAKE_TEST_POOLER").is_ok_and(|wanted| wanted == "1");
    if wanted { Some(Pooler::start(cluster, SERVERS).await.expect("a pooler starts")) } else { None }
}

/// Past the pooler, since `_why`: a test of the house knows every test that says so.
pub fn direct(_why: &str) -> Option<Pooler> {
    None
}

/// The pooler that queues and functions connect through.
pub fn pooler() -> Option<&'static Pooler> {
    POOLER.get()?.as_ref()
}

/// A server connection of a pooler, and what it keeps that a client put there.
#[derive(Debug)]
pub struct Session {
    /// Its backend.
    pub pid: String,
    /// Prepared statements, cursors, advisory locks, channels listened on, temporary tables, and settings.
    pub kept: String,
}

impl Session {
    /// Whether nothing is kept.
    pub fn is_clean(&self) -> bool {
        self.kept.is_empty()
    }
}

/// What a session may hold, without the settings that `PgBouncer` itself follows from client to client.
const KEPT: &str = "select pg_backend_pid()::text as pid, coalesce(string_agg(kept, ', '), '') as kept from (
    select 'prepared ' || name from pg_prepared_statements
    union all select 'cursor ' || name from pg_cursors where name <> ''
    union all select 'advisory lock' from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
    union all select 'listens on ' || channel from pg_listening_channels() as channel
    union all select 'temporary ' || relname from pg_class where relnamespace = pg_my_temp_schema()
    union all select 'setting ' || name from pg_settings where source = 'session' and lower(name) not in
        ('application_name', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings')
) as session (kept)";

/// Looks at both server connections of a pooler that has two for this database; they are made if they are not there.
pub async fn sessions(options: &PgConnectOptions) -> [Session; 2] {
    let mut clients = Vec::new();
    for _ in 0..2 {
        let mut client = PgConnection::connect_with(options).await.expect("the pooler");
        // In a transaction, so that the second one is given another.
        sqlx::raw_sql("begin").execute(&mut client).await.expect("begun");
        clients.push(client);
    }
    let mut sessions = Vec::new();
    for mut client in clients {
        let row = sqlx::raw_sql(KEPT).fetch_one(&mut client).await.expect("a session");
        sessions.push(Session { pid: row.get("pid"), kept: row.get("kept") });
        sqlx::raw_sql("rollback").execute(&mut client).await.expect("rolled back");
    }
    sessions.try_into().expect("two")
}

//! One database per test.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use local::postgres::{Cluster, Options, Pooler};
use pushwake::queue::Queue;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, Executor, PgConnection, PgPool};
use tokio::sync::OnceCell;

use crate::pooler::{self, pooler};

/// The migrated database that every test copies.
pub const TEMPLATE: &str = "template_pushwake";
static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
static CLONED: AtomicUsize = AtomicUsize::new(0);

/// The cluster of this test binary, with the migrated template in it.
pub async fn cluster() -> &'static Cluster {
    CLUSTER
        .get_or_init(|| async {
            let cluster = Cluster::start(Options::default()).await.expect("a private cluster starts");
            create_template(&cluster).await.expect("the template is created");
            let applied = migrate::apply(&cluster.connect_options(TEMPLATE), Duration::from_mins(1)).await;
            applied.expect("the migrations apply");
            pooler::start(&cluster).await;
            cluster
        })
        .await
}

/// A migrated database of one test.
pub struct Database {
    /// Its name in the cluster.
    pub name: String,
    /// For what the test itself looks at and moves.
    pub pool: PgPool,
    options: PgConnectOptions,
}

impl Database {
    /// Clones the template.
    pub async fn new() -> Self {
        let cluster = cluster().await;
        let name = format!("test_{}", CLONED.fetch_add(1, Ordering::Relaxed));
        cluster.clone_database(TEMPLATE, &name).await.expect("the template is cloned");
        Self::at(cluster.connect_options(&name))
    }

    /// A database that exists.
    pub fn at(options: PgConnectOptions) -> Self {
        let name = options.get_database().expect("a database has a name").to_owned();
        let pool = PgPoolOptions::new().max_connections(20).connect_lazy_with(options.clone());
        Self { name, pool, options }
    }

    /// How to connect to it.
    pub fn options(&self) -> PgConnectOptions {
        self.options.clone()
    }

    /// How a queue connects to it: through the pooler, where the suite runs behind one.
    pub fn front(&self) -> PgConnectOptions {
        match pooler() {
            Some(pooler) => self.options().port(pooler.port()).statement_cache_capacity(0).extra_float_digits(None),
            None => self.options(),
        }
    }

    /// A queue over a pool of its own, as each function instance has one.
    pub fn queue(&self, connections: u32) -> Queue {
        queue_over(queue_pool(connections, self.front()))
    }

    /// A queue of one connection that calls itself `name`, so that the test finds its backend.
    pub fn named_queue(&self, name: &str) -> Queue {
        queue_over(queue_pool(1, self.front().application_name(name)))
    }

    /// Runs a statement of the test's own.
    pub async fn execute(&self, sql: &str) -> u64 {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&self.pool).await.expect(sql).rows_affected()
    }

    /// Reads one number.
    pub async fn count(&self, sql: &str) -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&self.pool).await.expect(sql)
    }

    /// Ends every lease, as time would: tests move rows, not clocks.
    pub async fn end_leases(&self) {
        self.move_lanes("lease_until = clock_timestamp() - interval '1 ms'", "lease_token is not null").await;
    }

    /// Makes every lane due and ends every rest.
    pub async fn make_due(&self) {
        self.move_lanes(
            "rest_until = '-infinity', due_at = least(due_at, clock_timestamp() - interval '1 ms')",
            "true",
        )
        .await;
    }

    /// Ends the leases of drains that died.
    pub async fn end_leases_of_the_dead(&self, tokens: &[uuid::Uuid]) {
        let tokens: Vec<String> = tokens.iter().map(|token| format!("'{token}'")).collect();
        if !tokens.is_empty() {
            let dead = format!("lease_token in ({})", tokens.join(","));
            self.move_lanes("lease_until = clock_timestamp()", &dead).await;
        }
    }

    /// The test keeps the order of locks, too; what is locked is moved another time.
    async fn move_lanes(&self, set: &str, condition: &str) {
        self.execute(&format!(
            "update lanes set {set}
             from (select app, device from lanes where {condition} order by app, device for update skip locked) as free
             where lanes.app = free.app and lanes.device = free.device"
        ))
        .await;
    }
}

/// In a language's order, so that an id column without `collate "C"` would show.
async fn create_template(cluster: &Cluster) -> sqlx::Result<()> {
    let create = "create database template_pushwake template template0 locale_provider icu icu_locale 'en-US'";
    PgConnection::connect_with(&cluster.admin()).await?.execute(create).await.map(drop)
}

/// A queue over what [`Database::front`] leads to.
pub fn queue_over(pool: PgPool) -> Queue {
    Queue::new(pool, pooler().is_none())
}

/// The port that queues and functions connect to.
pub async fn front_port() -> u16 {
    let direct = cluster().await.port();
    pooler().map_or(direct, Pooler::port)
}

fn queue_pool(connections: u32, options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new().max_connections(connections).connect_lazy_with(options)
}

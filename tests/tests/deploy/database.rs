//! The team's database: the roles of docs/database.sql with passwords, reached under TLS alone.

use std::path::{Path, PathBuf};

use local::postgres::{self, Cluster};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tests::tls::{issue, serve};

/// Its name.
pub const NAME: &str = "pushwake";
/// The host that its certificate names.
pub const HOST: &str = "localhost";
/// The role of migrate, and its password.
pub const OWNER: (&str, &str) = ("pushwake_owner", "owner-password");
/// The role of the other functions, and its password.
pub const APP: (&str, &str) = ("pushwake_app", "app-password");

/// The functions' roles come with a password and under TLS; the test itself is let in.
const HBA: &str = "
    copy (
        select line from (values
            (1, 'hostssl pushwake pushwake_owner,pushwake_app 127.0.0.1/32 scram-sha-256'),
            (2, 'host all pushwake 127.0.0.1/32 trust')
        ) as hba (place, line) order by place
    ) to program 'cat > pg_hba.conf';
    select pg_reload_conf()";

/// A running one.
pub struct Database {
    /// Of which it is.
    pub cluster: Cluster,
    /// For what the test itself looks at and moves.
    pub pool: PgPool,
    /// The certificate of its CA.
    pub ca: PathBuf,
}

impl Database {
    /// Starts one without a schema, whose CA is written into `folder`.
    pub async fn start(folder: &Path) -> Self {
        let cluster = Cluster::start(postgres::Options::default()).await.expect("a private cluster starts");
        let (ca, issued) = (folder.join("database-ca.pem"), issue(HOST));
        std::fs::write(&ca, &issued.ca).expect("a file in a temporary folder");
        serve(&cluster, &issued).await;
        cluster.create_database(NAME).await.expect("a database");
        let options = cluster.connect_options(NAME);
        let roles = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/database.sql");
        run(&options, &std::fs::read_to_string(roles).expect("docs/database.sql")).await;
        for (role, password) in [OWNER, APP] {
            run(&options, &format!("alter role {role} password '{password}'")).await;
        }
        run(&options, HBA).await;
        let pool = PgPoolOptions::new().max_connections(2).connect_lazy_with(options);
        Self { cluster, pool, ca }
    }

    /// Runs a statement of the test's own.
    pub async fn execute(&self, sql: &str) -> u64 {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&self.pool).await.expect(sql).rows_affected()
    }

    /// Reads one number.
    pub async fn count(&self, sql: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&self.pool).await.expect(sql)
    }

    /// Runs a statement as the owner of the tables.
    pub async fn as_owner(&self, sql: &str) {
        self.execute(&format!("set role {}; {sql}; reset role", OWNER.0)).await;
    }

    /// Stops it.
    pub async fn stop(self) {
        self.pool.close().await;
        self.cluster.stop().await.expect("it stops");
    }
}

async fn run(options: &PgConnectOptions, sql: &str) {
    let mut connection = PgConnection::connect_with(options).await.expect("the superuser connects");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.expect(sql);
    connection.close().await.expect("closed");
}

//! Databases of a cluster.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::{Cluster, ClusterError};

impl Cluster {
    /// Creates an empty database.
    pub async fn create_database(&self, name: &str) -> Result<(), ClusterError> {
        self.administer("create a database", &format!("create database {}", quoted(name))).await
    }

    /// Creates a database as a copy of `template`, to which nobody may be connected.
    pub async fn clone_database(&self, template: &str, name: &str) -> Result<(), ClusterError> {
        let statement = format!("create database {} template {}", quoted(name), quoted(template));
        self.administer("clone a database", &statement).await
    }

    /// Drops a database and ends its sessions.
    pub async fn drop_database(&self, name: &str) -> Result<(), ClusterError> {
        self.administer("drop a database", &format!("drop database if exists {} with (force)", quoted(name))).await
    }

    /// One statement on a connection of its own: nothing of it belongs to a runtime afterwards.
    async fn administer(&self, step: &'static str, statement: &str) -> Result<(), ClusterError> {
        let refused = |error| ClusterError::Refused { step, error };
        let mut connection = PgConnection::connect_with(&self.admin()).await.map_err(refused)?;
        connection.execute(AssertSqlSafe(statement)).await.map_err(refused)?;
        connection.close().await.map_err(refused)
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

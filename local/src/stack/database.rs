//! The stack's database, in a cluster of its own or in one that others use too.

use sqlx::postgres::PgConnectOptions;
use uuid::Uuid;

use super::{Options, StackError};
use crate::postgres::{self, Cluster};

pub(super) struct Database {
    cluster: Cluster,
    name: String,
    /// Whether the cluster ends with the stack.
    own_cluster: bool,
}

impl Database {
    pub(super) async fn create(options: &Options) -> Result<Self, StackError> {
        let cluster = match &options.cluster {
            Some(cluster) => cluster.clone(),
            None => Cluster::start(postgres::Options::default()).await?,
        };
        let name = format!("pushwake_{}", Uuid::new_v4().simple());
        match &options.template {
            Some(template) => cluster.clone_database(template, &name).await?,
            None => cluster.create_database(&name).await?,
        }
        Ok(Self { cluster, name, own_cluster: options.cluster.is_none() })
    }

    pub(super) fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn connect_options(&self) -> PgConnectOptions {
        self.cluster.connect_options(&self.name)
    }

    /// Drops the database, or stops the whole cluster if it is the stack's own.
    pub(super) async fn remove(self) -> Result<(), StackError> {
        if self.own_cluster {
            self.cluster.stop().await?;
        } else {
            self.cluster.drop_database(&self.name).await?;
        }
        Ok(())
    }
}

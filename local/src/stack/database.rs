//! The stack's database, in a cluster of its own or in one that others use too.

use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;
use uuid::Uuid;

use super::{Options, StackError};
use crate::postgres::{self, Cluster};

pub(super) struct Database {
    cluster: Arc<Cluster>,
    name: String,
}

impl Database {
    pub(super) async fn create(options: &Options) -> Result<Self, StackError> {
        let cluster = match &options.cluster {
            Some(cluster) => Arc::clone(cluster),
            None => Arc::new(Cluster::start(postgres::Options::default()).await?),
        };
        let name = format!("pushwake_{}", Uuid::new_v4().simple());
        match &options.template {
            Some(template) => cluster.clone_database(template, &name).await?,
            None => cluster.create_database(&name).await?,
        }
        Ok(Self { cluster, name })
    }

    pub(super) fn cluster(&self) -> &Arc<Cluster> {
        &self.cluster
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn connect_options(&self) -> PgConnectOptions {
        self.cluster.connect_options(&self.name)
    }

    /// Drops the database, or the whole cluster if nobody else uses it.
    pub(super) async fn remove(self) -> Result<(), StackError> {
        match Arc::try_unwrap(self.cluster) {
            Ok(cluster) => cluster.stop().await?,
            Err(cluster) => cluster.drop_database(&self.name).await?,
        }
        Ok(())
    }
}

//! A private Postgres cluster: its own folder, its own port on loopback, gone with this process.
//!
//! It is made for tests and the demo: `fsync` is off (the folder doesn't outlive the process anyway), and whoever can
//! reach the loopback port is trusted as the superuser `pushwake`. A [`Cluster`] holds no connection and nothing that
//! belongs to a tokio runtime, so one cluster serves every test of a binary, each with its own runtime.

mod binaries;
mod databases;
#[cfg(feature = "download-postgres")]
mod download;
#[cfg(not(feature = "download-postgres"))]
#[path = "no_download.rs"]
mod download;
mod error;
mod initdb;
mod owner;
mod pooler;
mod postmaster;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgSslMode};

pub use error::ClusterError;
pub use pooler::Pooler;
pub use postmaster::Stop;

use crate::reaper::Folder;
use owner::Owner;
use postmaster::Postmaster;

/// The superuser of every cluster; it has no password.
pub const USER: &str = "pushwake";
/// The address every cluster listens on.
pub const HOST: &str = "127.0.0.1";

/// How a cluster is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// `max_connections`: twelve drains of several stacks, and the tests' own pools.
    pub max_connections: u32,
    /// Further settings, as in `postgresql.conf`; they win over the cluster's own.
    pub settings: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_connections: 400, settings: Vec::new() }
    }
}

/// A running cluster; clones are the same one. With the last of them the server stops and the folder is removed.
#[derive(Debug, Clone)]
pub struct Cluster {
    // In this order: the server ends before its folder is removed.
    postmaster: Postmaster,
    folder: Arc<Folder>,
}

/// What running one of Postgres' programs takes.
#[derive(Debug, Clone)]
struct Programs {
    bin: PathBuf,
    owner: Option<Owner>,
}

impl Cluster {
    /// Creates and starts a cluster.
    pub async fn start(options: Options) -> Result<Self, ClusterError> {
        blocking(move || Self::start_blocking(&options)).await
    }

    fn start_blocking(options: &Options) -> Result<Self, ClusterError> {
        let owner = Owner::needed()?;
        let folder = owner::folder(owner.as_ref())?;
        let bin = binaries::installed().map_or_else(|| download::bin(owner.as_ref(), folder.path()), Ok)?;
        let programs = Programs { bin, owner };
        initdb::run(&programs, folder.path())?;
        let postmaster = Postmaster::start(&programs, folder.path(), options)?;
        Ok(Self { postmaster, folder: Arc::new(folder) })
    }

    /// Where the cluster's files and its log are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The loopback port; it stays the same over a restart.
    pub fn port(&self) -> u16 {
        self.postmaster.port()
    }

    /// How to connect to `database`.
    pub fn connect_options(&self, database: &str) -> PgConnectOptions {
        // `new_without_pgpass`: whatever the user's environment says of other servers has no say here.
        PgConnectOptions::new_without_pgpass()
            .host(HOST)
            .port(self.port())
            .username(USER)
            .database(database)
            .ssl_mode(PgSslMode::Disable)
    }

    /// How to connect to the maintenance database.
    pub fn admin(&self) -> PgConnectOptions {
        self.connect_options("postgres")
    }

    /// The URL of `database`, for a person with `psql`.
    pub fn database_url(&self, database: &str) -> String {
        format!("postgres://{USER}@{HOST}:{}/{database}", self.port())
    }

    /// The end of the server's log.
    pub fn log(&self) -> String {
        self.postmaster.log()
    }

    /// Stops the server and starts it again on the same port. Every connection breaks.
    pub async fn restart(&self, stop: Stop) -> Result<(), ClusterError> {
        let postmaster = self.postmaster.clone();
        blocking(move || {
            postmaster.stop(stop);
            postmaster.start_again()
        })
        .await
    }

    /// Stops the server without a restart; [`Cluster::resume`] brings it back.
    pub async fn halt(&self, stop: Stop) -> Result<(), ClusterError> {
        let postmaster = self.postmaster.clone();
        blocking(move || {
            postmaster.stop(stop);
            Ok(())
        })
        .await
    }

    /// Starts a halted server on its port.
    pub async fn resume(&self) -> Result<(), ClusterError> {
        let postmaster = self.postmaster.clone();
        blocking(move || postmaster.start_again()).await
    }

    /// Stops the server, whoever else holds a clone; the folder is removed with the last.
    pub async fn stop(self) -> Result<(), ClusterError> {
        blocking(move || {
            self.postmaster.stop(Stop::Immediate);
            drop(self);
            Ok(())
        })
        .await
    }
}

async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, ClusterError> + Send + 'static,
) -> Result<T, ClusterError> {
    match tokio::task::spawn_blocking(act).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

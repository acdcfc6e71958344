//! Creates the files of a cluster.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{ClusterError, Programs, USER};
use crate::reaper::{detach, watch_child};

/// Where a cluster's files lie inside its folder.
pub(super) fn files(folder: &Path) -> PathBuf {
    folder.join("cluster")
}

impl Programs {
    /// One of Postgres' programs, run by the right user and deaf to this process's environment.
    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.bin.join(name));
        command.env_clear().env("LC_ALL", "C").env("TZ", "UTC").current_dir("/").stdin(Stdio::null());
        for kept in ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
            if let Some(value) = std::env::var_os(kept) {
                command.env(kept, value);
            }
        }
        if let Some(owner) = &self.owner {
            owner.run(&mut command);
        }
        detach(&mut command);
        command
    }
}

/// Runs `initdb` in `folder`.
pub(super) fn run(programs: &Programs, folder: &Path) -> Result<(), ClusterError> {
    let mut command = programs.command("initdb");
    command.args(["--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"]);
    command.arg("--pgdata").arg(files(folder)).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().map_err(ClusterError::io("start initdb"))?;
    let _watched = watch_child(child.id()).map_err(ClusterError::io("start the reaper"))?;
    let ended = child.wait_with_output().map_err(ClusterError::io("wait for initdb"))?;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    Err(ClusterError::Failed { program: programs.bin.join("initdb"), said })
}

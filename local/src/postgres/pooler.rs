//! `PgBouncer` in front of a cluster, in transaction mode, as many teams run it: between two transactions of a client
//! its server connection serves others, so that nothing may be kept in a session.

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::postmaster::free_port;
use super::{Cluster, ClusterError, HOST, USER, blocking, owner};
use crate::reaper::{Folder, Watched, detach, watch_child};

/// A port can be taken between its choice and the start.
const PORTS_TRIED: usize = 8;
const START_WITHIN: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A running `PgBouncer`; clones are the same one. It ends with the last of them.
#[derive(Debug, Clone)]
pub struct Pooler(Arc<Running>);

#[derive(Debug)]
struct Running {
    child: Child,
    port: u16,
    // In this order: it has ended before the reaper forgets it and its folder is removed.
    _watched: Watched,
    _folder: Folder,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pooler {
    /// Starts one that gives each pair of a database and a role at most `servers` connections to `cluster`.
    pub async fn start(cluster: &Cluster, servers: usize) -> Result<Self, ClusterError> {
        let to = cluster.port();
        blocking(move || {
            let mut tries = 1..PORTS_TRIED;
            loop {
                match Running::start(to, servers) {
                    Err(ClusterError::Failed { .. }) if tries.next().is_some() => {}
                    started => return Ok(Self(Arc::new(started?))),
                }
            }
        })
        .await
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.0.port
    }
}

impl Running {
    fn start(to: u16, servers: usize) -> Result<Self, ClusterError> {
        let program = program().ok_or(ClusterError::NoPooler)?;
        let owner = owner::Owner::needed()?;
        let folder = owner::folder(owner.as_ref())?;
        let port = free_port().map_err(ClusterError::io("find a free port on loopback"))?;
        let users = folder.path().join("users");
        let file = folder.path().join("pgbouncer.ini");
        let log = folder.path().join("pgbouncer.log");
        let written = fs::write(&users, format!("\"{USER}\" \"\"\n"))
            .and_then(|()| fs::write(&file, settings(to, port, servers, &users.display().to_string())));
        written.map_err(ClusterError::io("write the settings of pgbouncer"))?;
        let said = File::create(&log).map_err(ClusterError::io("open the log of pgbouncer"))?;
        let mut command = Command::new(&program);
        command.arg(&file).env_clear().current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        if let Some(owner) = &owner {
            owner.run(&mut command);
        }
        detach(&mut command);
        let child = command.spawn().map_err(ClusterError::io("start pgbouncer"))?;
        let watched = watch_child(child.id()).map_err(ClusterError::io("start the reaper"))?;
        let mut started = Self { child, port, _watched: watched, _folder: folder };
        let deadline = Instant::now() + START_WITHIN;
        while Instant::now() < deadline {
            if started.child.try_wait().map_err(ClusterError::io("wait for pgbouncer"))?.is_some() {
                break;
            }
            if TcpStream::connect((HOST, port)).is_ok() {
                return Ok(started);
            }
            sleep(LOOK_EVERY);
        }
        Err(ClusterError::Failed { program, said: fs::read_to_string(log).unwrap_or_default() })
    }
}

/// As Debian installs it, where `sbin` is not on everybody's PATH.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/sbin")]);
    folders.map(|folder| folder.join("pgbouncer")).find(|program| program.is_file())
}

/// Nothing is made easier than `PgBouncer`'s own defaults make it: no start-up setting is ignored, no session is reset.
fn settings(to: u16, port: u16, servers: usize, users: &str) -> String {
    format!(
        "[databases]
* = host={HOST} port={to}
[pgbouncer]
listen_addr = {HOST}
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
auth_user = {USER}
pool_mode = transaction
default_pool_size = {servers}
max_client_conn = 900
; Two transactions of a client are rarely served by the same connection.
server_round_robin = 1
; A database of a test is soon done with.
server_idle_timeout = 10
; A server that was away is asked again at once.
server_login_retry = 1
"
    )
}

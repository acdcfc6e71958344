//! The server: started on a port that nobody else has, watched by the reaper, stopped in the way a test asks for.

use std::fs::{self, OpenOptions};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::initdb::files;
use super::{ClusterError, HOST, Options, Programs};
use crate::reaper::{Signal, Watched, send, watch_postmaster};

/// A port can be taken between its choice and the server's start.
const PORTS_TRIED: usize = 8;
/// A start after a crash replays the log first.
const START_WITHIN: Duration = Duration::from_mins(1);
const STOP_WITHIN: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(10);
const LOG: &str = "postgres.log";

/// How the server is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Sessions are ended in good order, with an error message to each.
    Fast,
    /// As in a crash: the next start recovers.
    Immediate,
}

/// The server of one cluster; clones are the same server.
#[derive(Debug, Clone)]
pub(super) struct Postmaster(Arc<Server>);

#[derive(Debug)]
struct Server {
    programs: Programs,
    folder: PathBuf,
    settings: Vec<(String, String)>,
    port: u16,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    _watched: Watched,
}

impl Postmaster {
    pub(super) fn start(programs: &Programs, folder: &Path, options: &Options) -> Result<Self, ClusterError> {
        let settings = settings(options);
        let mut tries = 1..=PORTS_TRIED;
        loop {
            let port = free_port().map_err(ClusterError::io("find a free port on loopback"))?;
            let (programs, folder, settings) = (programs.clone(), folder.to_owned(), settings.clone());
            let server = Server { programs, folder, settings, port, running: Mutex::default() };
            match server.start() {
                Ok(()) => return Ok(Self(Arc::new(server))),
                Err(ClusterError::Failed { said, .. }) if said.contains("in use") && tries.next().is_some() => {
                    let _ = fs::remove_file(server.folder.join(LOG));
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn port(&self) -> u16 {
        self.0.port
    }

    pub(super) fn log(&self) -> String {
        self.0.log()
    }

    pub(super) fn start_again(&self) -> Result<(), ClusterError> {
        self.0.start()
    }

    pub(super) fn stop(&self, stop: Stop) {
        self.0.stop(stop);
    }
}

impl Server {
    fn start(&self) -> Result<(), ClusterError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some() {
            return Ok(());
        }
        let log = OpenOptions::new().create(true).append(true).open(self.folder.join(LOG));
        let log = log.map_err(ClusterError::io("open the log of postgres"))?;
        let mut command = self.programs.command("postgres");
        command.arg("-D").arg(files(&self.folder)).arg("-p").arg(self.port.to_string());
        for (name, value) in &self.settings {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command.stdout(Stdio::null()).stderr(log);
        let child = command.spawn().map_err(ClusterError::io("start postgres"))?;
        let watched = watch_postmaster(child.id()).map_err(ClusterError::io("start the reaper"))?;
        let mut started = Running { child, _watched: watched };
        match self.wait_until_ready(&mut started.child) {
            Ok(()) => *running = Some(started),
            Err(error) => {
                end(started, Stop::Immediate);
                return Err(error);
            }
        }
        Ok(())
    }

    /// The last line of `postmaster.pid` says `ready` once connections are accepted; `pg_ctl` looks there too.
    fn wait_until_ready(&self, child: &mut Child) -> Result<(), ClusterError> {
        let failed = |said| ClusterError::Failed { program: self.programs.bin.join("postgres"), said };
        let deadline = Instant::now() + START_WITHIN;
        while Instant::now() < deadline {
            if child.try_wait().map_err(ClusterError::io("wait for postgres"))?.is_some() {
                return Err(failed(self.log()));
            }
            let status = fs::read_to_string(files(&self.folder).join("postmaster.pid")).unwrap_or_default();
            let mut lines = status.lines();
            let ours = lines.next().is_some_and(|pid| pid.trim() == child.id().to_string());
            if ours && lines.nth(6).is_some_and(|state| state.trim() == "ready") {
                return Ok(());
            }
            sleep(LOOK_EVERY);
        }
        Err(failed(format!("it was not ready after {START_WITHIN:?}: {}", self.log())))
    }

    fn stop(&self, stop: Stop) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(running) = running {
            end(running, stop);
        }
    }

    fn log(&self) -> String {
        let log = fs::read(self.folder.join(LOG)).unwrap_or_default();
        let end = log.len().saturating_sub(4096);
        String::from_utf8_lossy(&log[end..]).trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop(Stop::Immediate);
    }
}

fn end(mut running: Running, stop: Stop) {
    let signal = if stop == Stop::Fast { Signal::Interrupt } else { Signal::Quit };
    let _ = send(running.child.id(), signal);
    let deadline = Instant::now() + STOP_WITHIN;
    while matches!(running.child.try_wait(), Ok(None)) {
        if Instant::now() > deadline {
            let _ = running.child.kill();
        }
        sleep(LOOK_EVERY);
    }
}

pub(super) fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((HOST, 0))?.local_addr()?.port())
}

fn settings(options: &Options) -> Vec<(String, String)> {
    let own = [
        ("listen_addresses", HOST),
        // The folder's path may be longer than a socket's may be.
        ("unix_socket_directories", ""),
        ("fsync", "off"),
        ("synchronous_commit", "off"),
        ("full_page_writes", "off"),
        ("wal_level", "minimal"),
        ("max_wal_senders", "0"),
        ("max_wal_size", "2GB"),
        ("checkpoint_timeout", "15min"),
        ("shared_buffers", "256MB"),
        // Inside the folder, so that even a killed server leaves nothing in /dev/shm.
        ("dynamic_shared_memory_type", "mmap"),
        ("autovacuum", "on"),
        // What managed Postgres uses; the default of a minute is longer than the demo.
        ("autovacuum_naptime", "15s"),
        ("timezone", "UTC"),
        ("log_timezone", "UTC"),
        ("log_checkpoints", "off"),
    ];
    let mut settings = vec![("max_connections".to_owned(), options.max_connections.to_string())];
    settings.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
    settings.extend(options.settings.iter().cloned());
    settings
}

//! `ministack`, an emulator of AWS that others wrote, as a child of this process: loopback only, a free port, gone with
//! the process.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use local::reaper::{self, Folder, Watched};
use tokio::net::TcpSocket;

/// A running emulator. What it starts is of its process group, which ends with it.
pub struct Ministack {
    url: String,
    log: PathBuf,
    child: Child,
    _watched: Watched,
    _folder: Folder,
    /// Bound and never listening, so that nobody else is given the port before the emulator takes it.
    _port: TcpSocket,
}

const START: Duration = Duration::from_mins(1);

impl Ministack {
    /// Starts it with `python`, whose environment has it, and further variables of its own. Blocks until it listens.
    /// `scheme` is that of its address: the variables say the rest of `https`.
    ///
    /// # Panics
    /// With its log, if it does not start.
    pub fn start(python: &Path, scheme: &str, variables: &[(&str, &str)]) -> Self {
        let port = TcpSocket::new_v4().expect("a socket");
        port.set_reuseaddr(true).expect("an address that the emulator may share");
        port.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a port on loopback");
        let address = port.local_addr().expect("its address");
        let url = format!("{scheme}://{address}");
        let folder = Folder::create(&std::env::temp_dir()).expect("a temporary folder");
        let log = folder.path().join("log");
        let output = File::create(&log).expect("a file in a temporary folder");

        let mut command = Command::new(python);
        command.args(["-m", "ministack"]).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("BIND_HOST", address.ip().to_string()).env("GATEWAY_PORT", address.port().to_string());
        // What it tells clients, and what the functions it starts are told.
        command.env("MINISTACK_HOST", address.ip().to_string()).env("AWS_ENDPOINT_URL", &url);
        command.env("MINISTACK_REGION", local::sqs::REGION);
        // Without its MQTT and SFTP listeners, which have fixed ports on all interfaces.
        command.env("IOT_MTLS_ENABLED", "0").env("SFTP_ENABLED", "0");
        command.env("LOG_LEVEL", "WARNING").env("TMPDIR", folder.path()).env("HOME", folder.path());
        command.env("PYTHONDONTWRITEBYTECODE", "1").envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(output.try_clone().expect("a second handle")).stderr(output);
        reaper::detach(&mut command);
        let child = command.spawn().expect("the interpreter that was just made");
        let watched = reaper::watch_child(child.id()).expect("the reaper");
        let mut started = Self { url, log, child, _watched: watched, _folder: folder, _port: port };
        assert!(started.is_up(address), "ministack did not start:\n{}", started.log());
        started
    }

    /// What to give AWS tools as `AWS_ENDPOINT_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The end of what it wrote.
    pub fn log(&self) -> String {
        let text = fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }

    /// Whether the child takes connections before its time is over. It takes none until it is ready to answer.
    fn is_up(&mut self, address: SocketAddr) -> bool {
        let until = Instant::now() + START;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            if TcpStream::connect(address).is_ok() {
                return true;
            }
            thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Ministack {
    fn drop(&mut self) {
        // Before its leader is waited for, while nobody else can have its number.
        let _ = reaper::kill_group(self.child.id());
        let _ = self.child.wait();
    }
}

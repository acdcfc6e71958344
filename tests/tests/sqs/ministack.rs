//! The emulator as a child of this process: loopback only, a free port, gone with the process.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use local::reaper::{self, Folder, Watched};
use tokio::{net::TcpSocket, sync::OnceCell, task::spawn_blocking};

use crate::venv;

/// A running emulator. The shared one lives as long as the process, whose end the reaper sees.
pub struct Ministack {
    url: String,
    _child: Child,
    _watched: Watched,
    _folder: Folder,
    /// Bound and never listening, so that nobody else is given the port before the emulator takes it.
    _port: TcpSocket,
}

const START: Duration = Duration::from_mins(1);

impl Ministack {
    /// URL of the one that all tests of this process share; they keep to queues of their own.
    pub async fn shared() -> &'static str {
        static SHARED: OnceCell<Ministack> = OnceCell::const_new();
        let start = || async { spawn_blocking(Self::start).await.expect("ministack starts") };
        &SHARED.get_or_init(start).await.url
    }

    fn start() -> Self {
        let python = venv::python();
        let port = TcpSocket::new_v4().expect("a socket");
        port.set_reuseaddr(true).expect("an address that the emulator may share");
        port.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a port on loopback");
        let address = port.local_addr().expect("its address");
        let folder = Folder::create(&std::env::temp_dir()).expect("a temporary folder");
        let log = folder.path().join("log");
        let output = File::create(&log).expect("a file in a temporary folder");

        let mut command = Command::new(python);
        command.args(["-m", "ministack"]);
        command.env("BIND_HOST", address.ip().to_string()).env("GATEWAY_PORT", address.port().to_string());
        // Without its MQTT and SFTP listeners, which have fixed ports on all interfaces.
        command.env("SERVICES", "sqs").env("IOT_MTLS_ENABLED", "0").env("SFTP_ENABLED", "0");
        command.env("LOG_LEVEL", "WARNING").env("TMPDIR", folder.path());
        command.stdin(Stdio::null()).stdout(output.try_clone().expect("a second handle")).stderr(output);
        reaper::detach(&mut command);
        let mut child = command.spawn().expect("the interpreter that was just made");
        let watched = reaper::watch_child(child.id()).expect("the reaper");
        if !is_up(&mut child, address) {
            let _ = child.kill();
            let _ = child.wait();
            panic!("ministack did not start:\n{}", fs::read_to_string(&log).unwrap_or_default());
        }
        Self { url: format!("http://{address}"), _child: child, _watched: watched, _folder: folder, _port: port }
    }
}

/// Whether the child takes connections before its time is over. It takes none until it is ready to answer.
fn is_up(child: &mut Child, address: SocketAddr) -> bool {
    let until = Instant::now() + START;
    while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
        if TcpStream::connect(address).is_ok() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

//! A stack that is served, and the program's commands against it.

use std::process::Stdio;
use std::time::Duration;

use local::postgres::{self, Cluster};
use local::stack::{APP, Options, Stack};
use local::up::{Port, Serving};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::OnceCell;

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_mins(2);

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();

/// A stack that takes no wakes: what is queued stays where a command can look at it.
pub struct Running {
    pub stack: Stack,
    pub serving: Serving,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Running {
    pub async fn start() -> Self {
        let start = || async { Cluster::start(postgres::Options::default()).await.unwrap() };
        let cluster = CLUSTER.get_or_init(start).await.clone();
        let options = Options { cluster: Some(cluster), schedule_every: None, ..Options::default() };
        let stack = Stack::start(options).await.unwrap();
        stack.stop_drains().await;
        let serving = Serving::start(Port::take(0).await.unwrap(), &stack);
        Self { stack, serving }
    }

    /// Runs a command against it.
    pub async fn run(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        run_at(self.serving.url(), arguments, stdin).await
    }

    pub async fn stop(self) {
        drop(self.serving);
        self.stack.stop().await.unwrap();
    }
}

/// Runs a command against an endpoint.
pub async fn run_at(endpoint: &str, arguments: &[&str], stdin: &[u8]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pushwake"));
    command.args(arguments).env("PUSHWAKE_ENDPOINT", endpoint).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    let writing = tokio::spawn(async move {
        // one that does not read it has ended
        let _ = pipe.write_all(&stdin).await;
    });
    let ended = tokio::time::timeout(LONG, child.wait_with_output()).await.expect("it ends").unwrap();
    writing.await.unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ran { status: ended.status.code(), out: text(ended.stdout), err: text(ended.stderr) }
}

impl Ran {
    /// Standard output, one JSON value on each line.
    pub fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// A request for one device, on one line.
pub fn request(event: &str, device: &str) -> String {
    json!({"source": "tests", "event": event, "notification": {"title": "canary"},
        "devices": [{"id": device, "app": APP, "token": "00aa00aa"}]})
    .to_string()
}

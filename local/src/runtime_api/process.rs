//! The process of an instance: started apart from this one's terminal, watched by the reaper, its output captured.

use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{Output, Settings, Stream, environment};
use crate::reaper::{Signal, Watched, detach, send, watch_child};

/// What Lambda leaves an instance between `SIGTERM` and `SIGKILL`.
const GRACE: Duration = Duration::from_millis(500);
/// How long the pipes of a process that ended are read; what it started may hold them open.
const LAST_LINES: Duration = Duration::from_secs(1);

/// A task that ends with its owner.
#[derive(Debug)]
pub(super) struct Owned<T>(pub(super) JoinHandle<T>);

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// How a process ended, once it has; clones see the same end.
#[derive(Debug, Clone)]
pub(super) struct Exit(watch::Receiver<Option<String>>);

impl Exit {
    pub(super) fn seen(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Waits for the end; answers the exit status in words.
    pub(super) async fn wait(&mut self) -> String {
        // The sender is dropped unsent only with the runtime, or when the process is dropped, which kills it.
        let exit = self.0.wait_for(Option::is_some).await.map(|status| status.clone());
        exit.ok().flatten().unwrap_or_else(|| "killed".to_owned())
    }
}

/// The process of an instance. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) pid: u32,
    pub(super) exit: Exit,
    _waiting: Owned<()>,
}

/// In this order: the reaper forgets the child only after it was killed.
struct Running {
    child: Child,
    _watched: Watched,
}

impl Process {
    pub(super) fn spawn(settings: &Settings, runtime_api: &str, output: Arc<Output>) -> io::Result<Self> {
        let mut command = Command::new(&settings.binary);
        command.env_clear().envs(environment::of_instance(settings, runtime_api)).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).current_dir("/");
        detach(command.as_std_mut());
        let child = command.spawn()?;
        let pid = child.id().ok_or_else(|| io::Error::other("the process ended at once"))?;
        let running = Running { child, _watched: watch_child(pid)? };
        let (exited, exit) = watch::channel(None);
        let waiting = tokio::spawn(async move {
            let status = wait(running, pid, output).await;
            let _ = exited.send(Some(status));
        });
        Ok(Self { pid, exit: Exit(exit), _waiting: Owned(waiting) })
    }

    /// A process that has ended takes no signal.
    pub(super) fn signal(&self, signal: Signal) {
        if !self.exit.seen() {
            let _ = send(self.pid, signal);
        }
    }

    /// Kills the process and waits for its end.
    pub(super) async fn kill(&mut self) {
        self.signal(Signal::Kill);
        self.exit.wait().await;
    }

    /// Ends the process as Lambda ends an instance.
    pub(super) async fn end(&mut self) {
        // A stopped process takes SIGTERM only once it is continued.
        self.signal(Signal::Terminate);
        self.signal(Signal::Thaw);
        if timeout(GRACE, self.exit.wait()).await.is_err() {
            self.kill().await;
        }
    }
}

/// Waits for the process, and then for what is left in its pipes.
async fn wait(mut running: Running, pid: u32, output: Arc<Output>) -> String {
    let (stdout, stderr) = (running.child.stdout.take(), running.child.stderr.take());
    let last_words = output.clone();
    let mut reading = Owned(tokio::spawn(async move {
        let out = async {
            if let Some(stdout) = stdout {
                output.read(pid, Stream::Out, stdout).await;
            }
        };
        let err = async {
            if let Some(stderr) = stderr {
                output.read(pid, Stream::Err, stderr).await;
            }
        };
        tokio::join!(out, err);
    }));
    let status = running.child.wait().await;
    let _ = timeout(LAST_LINES, &mut reading.0).await;
    let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
    format!("{status}{}", last_words.last_words(pid))
}

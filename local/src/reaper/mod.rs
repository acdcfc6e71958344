//! Removes what a crash of this process would leave behind.
//!
//! A small shell script, started once per process, holds the read end of a pipe whose write end only this process has.
//! However this process ends, a `SIGKILL` or a test binary that exits without a word included, the pipe closes, and the
//! script kills the children it was told of, stops the postmasters and removes the folders. The pipe is chosen over
//! `PR_SET_PDEATHSIG`, which exists on Linux only and fires when the *thread* that started the child ends.

mod child;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

pub use child::{Signal, detach, kill_group, send};

const SCRIPT: &str = include_str!("reap.sh");

/// Something the reaper ends if this process doesn't. Dropping it makes the reaper forget: drop it only after the
/// child was waited for or the folder removed.
#[derive(Debug)]
#[must_use = "the reaper forgets what is dropped"]
pub struct Watched(String);

/// Watches a child that leads its own process group (see [`detach`]).
pub fn watch_child(pid: u32) -> io::Result<Watched> {
    watch(format!("kill {pid}"))
}

/// Watches a postmaster.
pub fn watch_postmaster(pid: u32) -> io::Result<Watched> {
    watch(format!("stop {pid}"))
}

/// A folder that is removed when it is dropped, or by the reaper.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    watched: Watched,
}

impl Folder {
    /// A new folder of a fresh name inside `parent`.
    pub fn create(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("pushwake-").tempdir_in(parent)?;
        let line = folder.path().to_str().filter(|path| !path.contains('\n'));
        let line = line.ok_or_else(|| io::Error::other("the temporary folder's path is not plain text"))?;
        let watched = watch(format!("remove {line}"))?;
        Ok(Self { path: folder.keep(), watched })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that can't be removed now stays the reaper's.
        if std::fs::remove_dir_all(&self.path).is_err() && self.path.exists() {
            self.watched.0.clear();
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            // A reaper that is gone has nothing to forget.
            let _ = tell(&format!("forget {}", self.0));
        }
    }
}

fn watch(entry: String) -> io::Result<Watched> {
    tell(&entry)?;
    Ok(Watched(entry))
}

/// One line, in one write: lines of two threads never mix.
fn tell(line: &str) -> io::Result<()> {
    static PIPE: OnceLock<Mutex<Option<ChildStdin>>> = OnceLock::new();
    let mut pipe = PIPE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if pipe.is_none() {
        *pipe = Some(start()?);
    }
    let mut text = String::with_capacity(line.len() + 1);
    let _ = writeln!(text, "{line}");
    pipe.as_mut().map_or(Ok(()), |pipe| pipe.write_all(text.as_bytes()))
}

fn start() -> io::Result<ChildStdin> {
    let mut command = Command::new("/bin/sh");
    // Its own name in a process listing, so that nobody wonders what it is.
    command.args(["-c", SCRIPT, "pushwake-reaper"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    detach(&mut command);
    let mut child = command.spawn()?;
    child.stdin.take().ok_or_else(|| io::Error::other("the reaper has no standard input"))
}

//! However `pushwake up` ends, it leaves neither process nor folder behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A running `up`, with a folder for all its temporary ones.
struct Up {
    child: Child,
    temporary: TempDir,
    pids: Vec<u32>,
}

/// Starts it, and waits until it is up.
fn up() -> Up {
    let temporary = tempfile::tempdir().unwrap();
    // Postgres may run as another user.
    fs::set_permissions(temporary.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pushwake"));
    let mut child = command.arg("up").env("TMPDIR", temporary.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("Ctrl-C")), "it did not come up");
    let mut pids = instances(child.id());
    assert!(!pids.is_empty(), "migrate was invoked, and its instance is kept frozen");
    let folders = fs::read_dir(temporary.path()).unwrap().flatten();
    let status = folders.filter_map(|folder| fs::read_to_string(folder.path().join("cluster/postmaster.pid")).ok());
    pids.extend(status.map(|status| status.lines().next().unwrap().parse::<u32>().unwrap()));
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 2, "the cluster's folder, and the provider's key");
    Up { child, temporary, pids }
}

impl Up {
    fn left_behind(&self) -> bool {
        self.pids.iter().any(|&pid| alive(pid)) || fs::read_dir(self.temporary.path()).unwrap().count() > 0
    }
}

/// The instances of the functions: children of `up` that run a function's binary.
fn instances(up: u32) -> Vec<u32> {
    let said = Command::new("ps").args(["-A", "-o", "pid=,ppid=,comm="]).output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    let children = said.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let (pid, parent) = (fields.next()?.parse().ok()?, fields.next()?);
        let function = matches!(fields.next()?.rsplit('/').next()?, "enqueue" | "drain" | "schedule" | "migrate");
        (parent == up.to_string() && function).then_some(pid)
    });
    children.collect()
}

fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

/// One that only waits to be collected by the init process does not run any more.
fn alive(pid: u32) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap().stdout;
    !state.is_empty() && state[0] != b'Z'
}

#[test]
fn an_interrupt_stops_everything_before_it_exits() {
    let mut up = up();
    signal(up.child.id(), "-INT");
    assert!(up.child.wait().unwrap().success());
    assert!(!up.left_behind(), "something ended only after the exit, or not at all");
}

#[test]
fn a_kill_leaves_nothing_behind_either() {
    let mut up = up();
    up.child.kill().unwrap();
    up.child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while up.left_behind() {
        assert!(Instant::now() < deadline, "one of {:?}, or a folder, was left behind", up.pids);
        sleep(Duration::from_millis(20));
    }
}

//! However `pushwake up` ends, it leaves neither process nor folder behind.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts it, and waits until it is up: its process, its folder, and its postmaster.
fn up() -> (Child, PathBuf, u32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pushwake"));
    let mut up = command.arg("up").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(up.stdout.take().unwrap()).lines().map_while(Result::ok);
    let folder = lines.find_map(|line| Some(PathBuf::from(line.strip_prefix("folder")?.trim()))).unwrap();
    assert!(lines.any(|line| line.starts_with("Ctrl-C")));
    let status = std::fs::read_to_string(folder.join("cluster/postmaster.pid")).unwrap();
    let postmaster = status.lines().next().unwrap().parse().unwrap();
    (up, folder, postmaster)
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

fn nothing_left(folder: &Path, pids: &[u32]) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while folder.exists() || pids.iter().any(|&pid| alive(pid)) {
        assert!(Instant::now() < deadline, "left behind: {} or one of {pids:?}", folder.display());
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupt_stops_everything_before_it_exits() {
    let (mut up, folder, postmaster) = up();
    let mut pids = instances(up.id());
    assert!(!pids.is_empty(), "migrate was invoked, and its instance is kept frozen");
    pids.push(postmaster);
    signal(up.id(), "-INT");
    assert!(up.wait().unwrap().success());
    assert!(!folder.exists() && !pids.iter().any(|&pid| alive(pid)), "something ended only after the exit");
}

#[test]
fn a_kill_leaves_nothing_behind_either() {
    let (mut up, folder, postmaster) = up();
    let mut pids = instances(up.id());
    pids.push(postmaster);
    up.kill().unwrap();
    up.wait().unwrap();
    nothing_left(&folder, &pids);
}

//! What a program has started, and whether anything of it is left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A folder for all temporary folders of one program.
pub struct Ground(TempDir);

impl Ground {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Postgres may run as another user.
        fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        Self(folder)
    }

    /// The program, with its streams captured.
    pub fn pushwake(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pushwake"));
        command.args(arguments).env("TMPDIR", self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub fn output(&self, arguments: &[&str]) -> Output {
        let mut child = self.pushwake(arguments).spawn().unwrap();
        ended(&mut child);
        child.wait_with_output().unwrap()
    }

    pub fn folders(&self) -> Vec<PathBuf> {
        fs::read_dir(self.0.path()).unwrap().map(|folder| folder.unwrap().path()).collect()
    }

    /// The postmaster of the one cluster.
    pub fn postmaster(&self) -> u32 {
        let mut clusters = self.folders().into_iter().map(|folder| folder.join("cluster/postmaster.pid"));
        let status = clusters.find_map(|file| fs::read_to_string(file).ok()).unwrap();
        status.lines().next().unwrap().parse().unwrap()
    }

    pub fn left_behind(&self, pids: &[u32]) -> bool {
        pids.iter().any(|&pid| alive(pid)) || !self.folders().is_empty()
    }

    /// What a program can't end itself is ended by its reaper, which takes a moment.
    pub fn nothing_left_soon(&self, pids: &[u32]) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.left_behind(pids) {
            assert!(Instant::now() < deadline, "one of {pids:?} or of {:?} was left behind", self.folders());
            sleep(Duration::from_millis(20));
        }
    }
}

/// Waits for the end of a program; kills it and panics when it has not come within five minutes.
pub fn ended(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + Duration::from_mins(5);
    loop {
        // Not `wait`, which closes what the program reads.
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            // Its reaper ends what it started.
            child.kill().unwrap();
            panic!("{} does not end", child.id());
        }
        sleep(Duration::from_millis(10));
    }
}

/// What descends from a process and is its own to end: Postgres and the instances of the functions.
pub fn descendants(of: u32) -> Vec<(u32, String)> {
    let said = Command::new("ps").args(["-A", "-o", "pid=,ppid=,comm="]).output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    let all: Vec<(u32, u32, String)> = said
        .lines()
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            let (pid, parent) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some((pid, parent, fields.next()?.rsplit('/').next()?.to_owned()))
        })
        .collect();
    let mut found = Vec::new();
    let mut parents = vec![of];
    while let Some(parent) = parents.pop() {
        let children =
            all.iter().filter(|(_, its, program)| *its == parent && !["sh", "ps"].contains(&program.as_str()));
        for (pid, _, program) in children {
            parents.push(*pid);
            found.push((*pid, program.clone()));
        }
    }
    found
}

pub fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

/// One that only waits to be collected by the init process does not run any more.
fn alive(pid: u32) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap().stdout;
    !state.is_empty() && state[0] != b'Z'
}

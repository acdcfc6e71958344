//! `pushwake up`: it says where everything is, and however it ends, it leaves neither process nor folder behind.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use serde_json::Value;

use super::processes::{Ground, descendants, ended, signal};

/// A running `up`.
struct Up {
    child: Child,
    ground: Ground,
    pids: Vec<u32>,
    /// What it said until `until` accepted a line.
    said: Vec<String>,
}

/// Starts it, and waits until it is up.
fn up(arguments: &[&str], until: impl Fn(&str) -> bool) -> Up {
    let ground = Ground::new();
    let arguments = [&["up", "--port", "0"], arguments].concat();
    let mut child = ground.pushwake(&arguments).stderr(Stdio::inherit()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut said = Vec::new();
    while !said.last().is_some_and(|line: &String| until(line)) {
        said.push(lines.next().expect("it did not come up"));
    }
    let started = descendants(child.id());
    assert!(started.iter().any(|(_, program)| program == "migrate"), "it was invoked, and its instance is kept frozen");
    assert!(started.iter().any(|(pid, _)| *pid == ground.postmaster()));
    assert_eq!(ground.folders().len(), 2, "the cluster's folder, and the provider's key");
    Up { child, ground, pids: started.into_iter().map(|(pid, _)| pid).collect(), said }
}

#[test]
fn an_interrupt_stops_everything_before_it_exits() {
    let mut up = up(&[], |line| line.starts_with("Ctrl-C"));
    let said = up.said.join("\n");
    for expected in ["AWS_ENDPOINT_URL=http://127.0.0.1:", "aws lambda invoke", "cargo run -- send", "postgres://"] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    signal(up.child.id(), "-INT");
    assert!(ended(&mut up.child).success());
    assert!(!up.ground.left_behind(&up.pids), "something ended only after the exit, or not at all");
}

#[test]
fn a_kill_leaves_nothing_behind_either_and_one_line_of_json_says_where_everything_was() {
    let mut up = up(&["--json"], |line| !line.is_empty());
    let places: Value = serde_json::from_str(&up.said[0]).unwrap();
    let url = places["url"].as_str().unwrap();
    assert_eq!(places["page"], format!("{url}/"));
    assert_eq!(places["functions"]["enqueue"], "pushwake-enqueue");
    assert_eq!(places["queues"]["feedback"], format!("{url}/000000000000/feedback"));
    up.child.kill().unwrap();
    ended(&mut up.child);
    up.ground.nothing_left_soon(&up.pids);
}

#[test]
fn a_busy_port_is_named_with_its_owner_before_anything_is_started() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ground = Ground::new();
    let ended = ground.output(&["up", "--port", &port]);
    assert_eq!(ended.status.code(), Some(1));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains(&format!("port {port} is taken")) && said.contains("--port"), "{said}");
    if cfg!(target_os = "linux") {
        assert!(said.contains(&format!("(pid {})", std::process::id())), "{said}");
    }
    assert!(ground.folders().is_empty());
}

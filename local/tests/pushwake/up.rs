//! However `pushwake up` ends, it leaves neither process nor folder behind.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use super::processes::{Ground, descendants, signal};

/// A running `up`.
struct Up {
    child: Child,
    ground: Ground,
    pids: Vec<u32>,
}

/// Starts it, and waits until it is up.
fn up() -> Up {
    let ground = Ground::new();
    let mut child = ground.pushwake(&["up"]).stderr(Stdio::inherit()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("Ctrl-C")), "it did not come up");
    let started = descendants(child.id());
    assert!(started.iter().any(|(_, program)| program == "migrate"), "it was invoked, and its instance is kept frozen");
    assert!(started.iter().any(|(pid, _)| *pid == ground.postmaster()));
    assert_eq!(ground.folders().len(), 2, "the cluster's folder, and the provider's key");
    Up { child, ground, pids: started.into_iter().map(|(pid, _)| pid).collect() }
}

#[test]
fn an_interrupt_stops_everything_before_it_exits() {
    let mut up = up();
    signal(up.child.id(), "-INT");
    assert!(up.child.wait().unwrap().success());
    assert!(!up.ground.left_behind(&up.pids), "something ended only after the exit, or not at all");
}

#[test]
fn a_kill_leaves_nothing_behind_either() {
    let mut up = up();
    up.child.kill().unwrap();
    up.child.wait().unwrap();
    up.ground.nothing_left_soon(&up.pids);
}

//! The demo passes its own checks, and leaves nothing behind however it ends.

use std::io::{BufRead, BufReader, Lines, Read};
use std::process::{Child, ChildStderr, ExitStatus};

use serde_json::Value;

use super::processes::{Ground, descendants, ended, signal};

/// Far more than is delivered before these tests end it.
const LONG: [&str; 8] = ["--notifications", "200000", "--devices", "1000", "--latency", "500ms", "--drains", "2"];

/// A demo that runs.
struct Demo {
    child: Child,
    said: Lines<BufReader<ChildStderr>>,
    ground: Ground,
    pids: Vec<u32>,
}

impl Demo {
    /// Starts one, and waits until its functions are at work.
    fn at_work() -> Self {
        let ground = Ground::new();
        let mut child = ground.pushwake(&LONG).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let at_work = |line: &str| line.starts_with("queued") && !line.contains("in flight 0 ");
        assert!(said.any(|line| at_work(&line.unwrap())), "nothing was ever in flight");
        let started = descendants(child.id());
        for function in ["enqueue", "drain"] {
            assert!(started.iter().any(|(_, program)| program == function), "{function} in {started:?}");
        }
        Self { child, said, ground, pids: started.into_iter().map(|(pid, _)| pid).collect() }
    }

    /// Waits for its end: its exit status, and what it said on both streams since it was at work.
    fn end(&mut self) -> (ExitStatus, String, String) {
        let said: Vec<_> = self.said.by_ref().map_while(Result::ok).collect();
        let mut report = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut report).unwrap();
        (ended(&mut self.child), report, said.join("\n"))
    }
}

#[test]
fn a_small_demo_delivers_everything_in_order_and_says_so() {
    let ground = Ground::new();
    let sizes = ["--notifications", "500", "--devices", "120", "--latency", "20ms", "--seed", "7", "--json"];
    let ended = ground.pushwake(&sizes).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&ended.stdout).unwrap();
    let n = |name: &str| report[name].as_u64().unwrap_or_else(|| panic!("{name} in {report}"));
    assert_eq!(report["passed"], true);
    for name in ["notifications", "queued", "delivered"] {
        assert_eq!(n(name), 500, "{name}");
    }
    for name in ["lost", "duplicates", "order_violations", "second_flights", "left_in_queue", "wakes_dead"] {
        assert_eq!(n(name), 0, "{name}");
    }
    assert_eq!(report["errors"], serde_json::json!([]));
    // Each claim and each finish is at least a statement, and each drain at least a claim.
    assert!(n("drains_started") > 0 && n("claims") >= n("drains_started") && n("statements") > n("claims"));
    assert!(report["delivered_per_second"].as_f64() > Some(0.0) && report["latency_p50_ms"].as_f64() > Some(0.0));
    let processor = |function: &str| report["processor_ms"][function].as_f64();
    // Linux alone says it.
    assert!(
        !cfg!(target_os = "linux") || processor("drain") > Some(0.0) && processor("enqueue") > Some(0.0),
        "{report}"
    );
    assert!(said.contains("which is removed at the end") && ground.folders().is_empty(), "{said}");
}

#[test]
fn a_provider_that_fails_for_a_while_costs_the_others_nothing_and_itself_only_time() {
    let ground = Ground::new();
    let sizes = ["--notifications", "600", "--devices", "120", "--latency", "20ms", "--seed", "7", "--json"];
    let outage = ["--fail", "apns=503@200ms..1s"];
    let ended = ground.pushwake(&[&["demo"][..], &sizes, &outage].concat()).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&ended.stdout).unwrap();
    let of = |provider: &str, name: &str| {
        report["providers"][provider][name].as_f64().unwrap_or_else(|| panic!("{name} of {provider} in {report}"))
    };
    for provider in ["apns", "fcm", "webpush"] {
        assert_eq!((of(provider, "notifications"), of(provider, "delivered")), (200.0, 200.0), "{provider}");
    }
    assert_eq!((of("fcm", "refused"), of("webpush", "refused")), (0.0, 0.0));
    assert!(of("apns", "refused") > 0.0, "the outage met nobody: {report}");
    for other in ["fcm", "webpush"] {
        assert!(of(other, "latency_p99_ms") < of("apns", "latency_p99_ms"), "{other} waited too: {report}");
    }
    for name in ["lost", "duplicates", "discarded", "ambiguous_resends", "second_flights"] {
        assert_eq!(report[name], 0, "{name}");
    }
    let outage = &report["outages"][0];
    assert_eq!(outage["outage"], "apns=503@200ms..1s");
    assert!(outage["met"].as_u64() > Some(0) && outage["recovered_after_s"].as_f64().is_some(), "{outage}");
    assert!(of("apns", "retried") > 0.0 && of("fcm", "retried") + of("webpush", "retried") == 0.0, "{report}");
}

#[test]
fn an_interrupt_ends_the_demo_in_good_order() {
    let mut demo = Demo::at_work();
    signal(demo.child.id(), "-INT");
    let (status, report, _) = demo.end();
    assert_eq!((status.code(), report.as_str()), (Some(130), ""));
    assert!(!demo.ground.left_behind(&demo.pids), "something ended only after the exit, or not at all");
}

#[test]
fn a_demo_that_is_killed_leaves_nothing_behind() {
    let mut demo = Demo::at_work();
    demo.child.kill().unwrap();
    demo.end();
    demo.ground.nothing_left_soon(&demo.pids);
}

#[test]
fn a_demo_that_fails_says_why_once_and_leaves_nothing_behind() {
    let mut demo = Demo::at_work();
    signal(demo.ground.postmaster(), "-QUIT");
    let (status, _, said) = demo.end();
    assert_eq!(status.code(), Some(1), "{said}");
    assert_eq!(said.matches("pushwake: enqueue did not answer").count(), 1, "{said}");
    let mut errors: Vec<_> =
        said.lines().filter(|line| !line.starts_with("queued") && !line.starts_with("  ")).collect();
    let n = errors.len();
    errors.sort_unstable();
    errors.dedup();
    assert_eq!(errors.len(), n, "shown twice: {said}");
    assert!(!demo.ground.left_behind(&demo.pids), "something ended only after the exit, or not at all");
}

#[test]
fn a_wrong_value_is_refused_before_anything_starts() {
    let ground = Ground::new();
    for (arguments, expected) in [
        (&["--drains", "1"][..], "1 is not in 2..=12"),
        (&["--devices", "many"], "invalid digit"),
        (&["--latency", "100"], "100ms or 1.5s"),
        (&["--latency", "20ms", "--spread", "30ms"], "--spread 30ms exceeds --latency 20ms"),
        (&["--latency", "9s"], "exceed 9s"),
        (&["--duplicate-wakes", "2"], "a number from 0 to 1"),
        (&["--providers", "apns,gcm"], "possible values: apns, fcm, webpush"),
        (&["--fail", "apns=503"], "expected @FROM..TO at the end, as in apns=503@2s..6s"),
        (&["--fail", "apns=503@2..6s"], "no time '2'"),
        (&["demo", "--fail", "apns=410@2s..6s"], "410 is not how a provider fails as a whole"),
        (&["demo", "--fail", "apns=503@2s..6s", "--fail", "apns=hang@5s..7s"], "given twice for one moment"),
        (&["--providers", "fcm", "--fail", "apns=503@2s..6s"], "add it to --providers"),
        (&["up", "--drains", "3"], "unexpected argument '--drains'"),
    ] {
        let ended = ground.output(arguments);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected) && !said.contains("Starting"), "{arguments:?}: {said}");
    }
}

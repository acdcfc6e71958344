//! What `sam build` made: its size, how it panics, which system it needs, and how soon an instance is ready.

use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::built;

/// The functions as the template names them, and what their stripped binaries may weigh, in bytes.
const FUNCTIONS: [(&str, u64); 4] =
    [("Enqueue", 15_000_000), ("Drain", 19_000_000), ("Schedule", 14_000_000), ("Migrate", 12_000_000)];
/// Of `provided.al2023`.
const GLIBC: (u32, u32) = (2, 34);
const STARTS: usize = 21;

#[test]
#[ignore = "measures what `sam build` made: .ci/deploy-check"]
fn the_built_functions_are_small_unwind_and_start_at_once() {
    println!("{:<10} {:>8} {:>10} {:>10}", "function", "MB", "ready, ms", "slowest");
    for (name, bound) in FUNCTIONS {
        let binary = built().join(name).join("bootstrap");
        let size = std::fs::metadata(&binary).expect("what `sam build` made: run .ci/deploy-check").len();
        let mut starts: Vec<Duration> = (0..STARTS).map(|_| ready(&binary, name)).collect();
        starts.sort();
        let milliseconds = |took: Duration| took.as_secs_f64() * 1000.0;
        let (median, slowest) = (milliseconds(starts[STARTS / 2]), milliseconds(starts[STARTS - 1]));
        println!("{name:<10} {:>8.1} {median:>10.1} {slowest:>10.1}", size as f64 / 1e6);
        assert!(size <= bound, "{name} has grown to {size} bytes, above {bound}");

        let symbols = std::fs::read(&binary).expect("the binary");
        // Whoever aborts on a panic raises nothing.
        assert!(holds(&symbols, b"_Unwind_RaiseException\0"), "{name} does not unwind: panic = \"unwind\" was lost");
        let needed = newest_glibc(&symbols);
        assert!(needed <= GLIBC, "{name} needs glibc {needed:?}, and provided.al2023 has {GLIBC:?}");
    }
}

/// From the start of the process to its first request for an invocation.
fn ready(binary: &Path, name: &str) -> Duration {
    let runtime_api = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = runtime_api.local_addr().expect("its address").to_string();
    let begun = Instant::now();
    let mut instance = Command::new(binary)
        .env_clear()
        .envs([
            ("AWS_LAMBDA_RUNTIME_API", &address[..]),
            ("AWS_LAMBDA_FUNCTION_NAME", name),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512"),
            ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
            ("AWS_REGION", "eu-central-1"),
            ("DATABASE_HOST", "localhost"),
            ("DATABASE_NAME", "pushwake"),
            ("DATABASE_USER", "pushwake_app"),
            ("WAKE_QUEUE_URL", "http://127.0.0.1:1/000000000000/wakes"),
            ("FEEDBACK_QUEUE_URL", "http://127.0.0.1:1/000000000000/feedback"),
            ("PUSHWAKE_APPS", "ssm:/pushwake/apps"),
        ])
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let (tell, asked) = mpsc::channel();
    // On a thread of its own, since accepting knows no time-out.
    thread::spawn(move || {
        let mut line = [0; 40];
        let read = runtime_api.accept().and_then(|(mut next, _)| next.read_exact(&mut line));
        let _ = tell.send(read.map(|()| (begun.elapsed(), line)));
    });
    let asked = asked.recv_timeout(Duration::from_mins(1));
    let _ = instance.kill();
    instance.wait().expect("it ends");
    let (took, line) = asked.expect("it asks for its first invocation").expect("a request");
    assert!(line.starts_with(b"GET /2018-06-01/runtime/invocation/next "), "{name}: {line:?}");
    took
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// The newest version of glibc that the binary names.
fn newest_glibc(bytes: &[u8]) -> (u32, u32) {
    let named =
        bytes.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_2."));
    let minor = named.filter_map(|version| version.split('.').next()?.parse().ok()).max();
    (2, minor.expect("it is linked with glibc"))
}

//! The real template, built as `sam build` builds it for a team, and deployed to an emulator of AWS on loopback, over a
//! private Postgres and a simulated provider. `.ci/deploy-check` builds, and runs what is ignored here.

mod account;
mod binaries;
mod database;
mod deploys;
mod ground;
mod revision;
mod sam;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What `sam build` made, by the functions' names in the template.
fn built() -> PathBuf {
    target().join("sam/build")
}

/// A program of the environment that `.ci/tools` makes.
fn tool(name: &str) -> PathBuf {
    target().join("tools-venv/bin").join(name)
}

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("cargo's target folder")
}

/// Says which step begins, and when: it takes minutes in all.
struct Steps(Instant);

impl Steps {
    fn begin(&self, step: &str) {
        eprintln!("== {step} ({} s)", self.0.elapsed().as_secs());
    }
}

/// Longer than a minute of schedule, and what it starts, on a busy machine.
const LONG: Duration = Duration::from_mins(4);

/// Waits for a condition; panics with what was awaited when it has not come true in time.
async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    let awaited = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(tokio::time::timeout(LONG, awaited).await.is_ok(), "{what}: not within {LONG:?}");
}

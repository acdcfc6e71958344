//! c36s: canaries in title, body, data, token, key, endpoint and password go through everything that can happen to a
//! notification, at TRACE, and none of them is in any output of any function.

mod database;
#[allow(dead_code, clippy::unused_async, reason = "the drain's own tests use the rest")]
#[path = "../drain/setup.rs"]
mod drain_setup;
mod flows;
mod panic;
mod platform;
mod start;

use local::runtime_api::Function;
use local::stack::Stack;
use tests::metrics::{self, Points};

/// Stands in every text that a product sends.
pub const CANARY: &str = "CANARY";

/// What a function may never write.
pub struct Canaries(Vec<String>);

impl Canaries {
    /// These secrets, and [`CANARY`].
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let secrets = secrets.into_iter().flat_map(|secret| {
            // Of a key in PEM, each line on its own; of a longer secret its beginning is as telling.
            let lines: Vec<String> = secret.lines().filter(|line| line.len() > 8).map(beginning).collect();
            if lines.is_empty() { vec![secret] } else { lines }
        });
        let telling = secrets.filter(|secret| !secret.starts_with("-----"));
        Self(telling.chain([CANARY.to_owned()]).collect())
    }

    /// None is in any line.
    pub fn are_in_none(&self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            let found = self.0.iter().find(|canary| line.to_lowercase().contains(&canary.to_lowercase()));
            assert!(found.is_none(), "{found:?} is in {line}");
        }
    }

    /// None is in what the functions of a stack wrote, of which there is something.
    pub fn are_in_no_output(&self, stack: &Stack) {
        let Stack { enqueue, drain, schedule, migrate, .. } = stack;
        for function in [enqueue, drain, schedule, migrate] {
            self.are_in_none(written(function));
        }
        assert!(!written(enqueue).is_empty() && !written(drain).is_empty(), "there is an output to look at");
        let metrics = Points::of([drain, schedule]);
        // The last lines of a drain may arrive after its answer.
        assert!(!metrics.0.is_empty() || drain.counts().answered < 2, "metrics are among it, and each line is valid");
    }
}

/// Standard output and standard error.
fn written(function: &Function) -> Vec<String> {
    function.output().lines().into_iter().map(|line| line.text).collect()
}

fn beginning(line: &str) -> String {
    line.chars().take(24).collect()
}

/// The environment of every function.
pub fn at_trace() -> Vec<(String, String)> {
    let trace = [("AWS_LAMBDA_LOG_LEVEL", "TRACE"), ("RUST_BACKTRACE", "1")];
    trace.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().chain([metrics::on()]).collect()
}

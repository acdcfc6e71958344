//! Log lines: one JSON object a line on standard output, the fields flattened into it.

use std::panic::PanicHookInfo;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Our crates: the only ones whose lines below WARN are written. An HTTP client's or the runtime's own lines hold
/// headers and bodies at TRACE, which means tokens.
const OURS: [&str; 5] = ["pushwake", "enqueue", "drain", "schedule", "migrate"];
/// Logs a handler's error itself; [`run`](super::run()) writes that one line.
const LOGGED_BY_RUN: &str = "lambda_runtime::layers::panic";

/// Sends log lines to standard output, at the level of `AWS_LAMBDA_LOG_LEVEL` (INFO), and a line for every panic.
pub fn init() {
    let level = level(std::env::var("AWS_LAMBDA_LOG_LEVEL").ok().as_deref());
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_target(true);
    let started = tracing_subscriber::registry().with(lines).with(targets(level)).try_init();
    if started.is_ok() {
        std::panic::set_hook(Box::new(log_panic));
    }
}

/// Lambda knows FATAL, which is ERROR here.
fn level(name: Option<&str>) -> LevelFilter {
    match name.map(str::to_ascii_uppercase).as_deref() {
        Some("TRACE") => LevelFilter::TRACE,
        Some("DEBUG") => LevelFilter::DEBUG,
        Some("WARN") => LevelFilter::WARN,
        Some("ERROR" | "FATAL") => LevelFilter::ERROR,
        _ => LevelFilter::INFO,
    }
}

fn targets(level: LevelFilter) -> Targets {
    Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        .with_targets(OURS.map(|target| (target, level)))
        // The span of an invocation, which carries its request id.
        .with_target("lambda_runtime::layers::trace", level.min(LevelFilter::INFO))
        .with_target(LOGGED_BY_RUN, LevelFilter::OFF)
}

/// Where, but never what: the text of a panic may quote a payload.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    tracing::error!(place, "panicked; the text is withheld since it may quote a payload");
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn no_other_crate_writes_below_warn() {
        let targets = targets(LevelFilter::TRACE);
        assert!(targets.would_enable("drain::window", &Level::TRACE));
        assert!(targets.would_enable("pushwake::wake", &Level::TRACE));
        for foreign in ["h2::codec", "hyper::proto", "sqlx::query", "aws_smithy_runtime", "lambda_runtime"] {
            assert!(!targets.would_enable(foreign, &Level::INFO), "{foreign}");
            assert!(targets.would_enable(foreign, &Level::WARN), "{foreign}");
        }
        assert!(!targets.would_enable(LOGGED_BY_RUN, &Level::ERROR));
    }

    #[test]
    fn a_quieter_level_holds_for_every_crate() {
        let targets = targets(level(Some("fatal")));
        assert!(!targets.would_enable("h2", &Level::WARN));
        assert!(!targets.would_enable("drain", &Level::WARN));
        assert!(targets.would_enable("drain", &Level::ERROR));
        assert_eq!(level(Some("nonsense")), LevelFilter::INFO);
    }
}

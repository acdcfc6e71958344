//! c18: no clock of a function decides anything about a row.

use std::path::PathBuf;

use crate::{root, rust_files};

/// Whatever reads a wall clock.
const WALL_CLOCKS: [&str; 5] = ["SystemTime::now", "now_utc", "now_local", "Utc::now", "Local::now"];

/// Where one may be read, and what for.
const ALLOWED: [(&str, &str); 6] = [
    ("shared/src/function/deadline.rs", "Lambda names the end of an invocation as a moment"),
    ("shared/src/function/iam.rs", "AWS judges a token by when it was signed"),
    ("shared/src/queue/reread.rs", "how old a token is, a freeze included"),
    ("shared/src/function/metric/sink.rs", "CloudWatch files a value under the time at which it was written"),
    ("functions/drain/src/connection/http1.rs", "how long a connection was idle, a freeze included"),
    ("functions/drain/src/connection/session.rs", "how long a connection was silent, a freeze included"),
];

/// The sources of a folder, each without its tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = Vec::new();
    rust_files(&root().join(folder), &mut files);
    let product = files.into_iter().filter_map(|file| {
        let name = file.strip_prefix(root()).expect("inside the workspace").to_str().expect("a plain name").to_owned();
        let source = std::fs::read_to_string(&file).expect("a source file");
        let tests = name.ends_with("tests.rs") || name.contains("/tests/") || name.contains("/benches/");
        (!tests).then(|| (name, source.split("#[cfg(test)]").next().unwrap_or_default().to_owned()))
    });
    product.collect()
}

#[test]
fn c18_the_functions_read_a_wall_clock_for_deadlines_and_silence_and_for_no_row() {
    let mut read: Vec<String> = ["shared", "functions"]
        .into_iter()
        .flat_map(sources)
        .filter(|(_, source)| WALL_CLOCKS.iter().any(|clock| source.contains(clock)))
        .map(|(name, _)| name)
        .collect();
    read.sort();
    let mut allowed = ALLOWED.map(|(name, _)| name);
    allowed.sort_unstable();
    assert_eq!(read, allowed, "the time of a row comes from the database: DatabaseClock, or clock_timestamp()");
}

#[test]
fn every_statement_reads_the_clock_and_not_the_start_of_its_transaction() {
    let statements = std::fs::read_dir(root().join("shared/src/queue/sql")).expect("the statements");
    for statement in statements {
        let path = statement.expect("an entry").path();
        let sql = std::fs::read_to_string(&path).expect("a statement").to_lowercase();
        for stale in ["now()", "current_timestamp", "localtimestamp", "statement_timestamp"] {
            assert!(!sql.contains(stale), "{}: {stale}", path.display());
        }
    }
}

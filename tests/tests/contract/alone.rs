//! The crate as a product depends on it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// All that the contract is built of, with what that is built of. A new one is a question to every product.
const KNOWN: &[&str] = &[
    "block-buffer",
    "cfg-if",
    "cpufeatures",
    "crypto-common",
    "deranged",
    "digest",
    "generic-array",
    "itoa",
    "libc",
    "memchr",
    "num-conv",
    "powerfmt",
    "proc-macro2",
    "pushwake",
    "quote",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "sha2",
    "syn",
    "time",
    "time-core",
    "time-macros",
    "typenum",
    "unicode-ident",
    "zmij",
];

fn dependencies(more: &[&str]) -> BTreeSet<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--frozen", "--edges", "normal", "--prefix", "none", "--format", "{lib}"]);
    cargo.args(["--no-default-features", "--manifest-path"]).arg(manifest).args(more);
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names");
    tree.lines().filter(|line| !line.is_empty()).map(|line| line.trim_end_matches(" (*)").replace('_', "-")).collect()
}

#[test]
fn the_contract_alone_brings_no_aws_no_sql_no_http_and_no_runtime() {
    let known: BTreeSet<String> = KNOWN.iter().map(|name| name.replace('_', "-")).collect();
    let found = dependencies(&[]);
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "the contract alone depends on more than before: {new:?}");
    assert!(found.contains("serde-json"), "{found:?}");
}

#[test]
fn the_functions_bring_what_the_contract_does_without() {
    let found = dependencies(&["--features", "functions"]);
    for name in ["aws-sdk-sqs", "sqlx", "tokio", "hyper", "rustls"] {
        assert!(found.contains(name), "the look at dependencies is blind: {name}");
    }
}

//! The function binaries, built by one nested `cargo build` of the profile this program was built with.
//!
//! The whole workspace is built rather than the four packages: another selection resolves another feature set, and
//! would build every dependency a second time. Only executables that cargo reports are used, never what happens to lie
//! in a target folder.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::reaper::{detach, watch_child};

/// Why there are no function binaries.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BuildError {
    /// Cargo itself did not start.
    #[error("can't run `{cargo}`: {error}. Install Rust (https://rustup.rs), or set CARGO to the cargo to use")]
    NoCargo {
        /// What was tried.
        cargo: String,
        /// Why it did not start.
        error: String,
    },
    /// Cargo ended with an error, which it has printed.
    #[error("the functions don't build ({0}): cargo's own messages stand above")]
    Failed(String),
    /// Cargo built, but no such binary.
    #[error("cargo built the workspace {workspace} and reported no binary `{name}`")]
    Missing {
        /// The missing binary.
        name: &'static str,
        /// What was built.
        workspace: String,
    },
}

/// Where the four functions' binaries are.
#[derive(Debug, Clone)]
pub struct Functions {
    /// `enqueue`.
    pub enqueue: PathBuf,
    /// `drain`.
    pub drain: PathBuf,
    /// `schedule`.
    pub schedule: PathBuf,
    /// `migrate`.
    pub migrate: PathBuf,
}

/// Builds the functions, once per process; later calls answer what the first one found. Blocks while cargo runs, whose
/// progress goes to standard error.
pub fn functions() -> Result<&'static Functions, BuildError> {
    static BUILT: OnceLock<Result<Functions, BuildError>> = OnceLock::new();
    BUILT.get_or_init(build).as_ref().map_err(Clone::clone)
}

fn build() -> Result<Functions, BuildError> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let no_cargo = |error: std::io::Error| BuildError::NoCargo { cargo: cargo.clone(), error: error.to_string() };
    let mut command = nested(&cargo);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    detach(&mut command);
    let child = command.spawn().map_err(no_cargo)?;
    let _watched = watch_child(child.id()).map_err(no_cargo)?;
    let ended = child.wait_with_output().map_err(no_cargo)?;
    if !ended.status.success() {
        return Err(BuildError::Failed(ended.status.to_string()));
    }
    let mut reported = executables(&String::from_utf8_lossy(&ended.stdout));
    let workspace = workspace().display().to_string();
    let mut take =
        |name| reported.remove(name).ok_or_else(|| BuildError::Missing { name, workspace: workspace.clone() });
    Ok(Functions {
        enqueue: take("enqueue")?,
        drain: take("drain")?,
        schedule: take("schedule")?,
        migrate: take("migrate")?,
    })
}

/// The nested build, with the folder, profile and target of the build that made this program.
fn nested(cargo: &str) -> Command {
    let mut command = Command::new(cargo);
    command.current_dir(workspace());
    command.args(["build", "--workspace", "--bins", "--message-format", "json-render-diagnostics"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if let Some(made) = env::current_exe().ok().as_deref().and_then(Made::of) {
        command.arg("--target-dir").arg(made.target_folder);
        if let Some(triple) = made.triple {
            command.arg("--target").arg(triple);
        }
    }
    // What cargo told this program about its own package; build scripts watch these, and would all run again.
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(of_one_package) {
            command.env_remove(name);
        }
    }
    command
}

fn of_one_package(name: &str) -> bool {
    let prefixes = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];
    let names = ["CARGO_PRIMARY_PACKAGE", "CARGO_TARGET_TMPDIR", "OUT_DIR"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || names.contains(&name)
}

fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// Where cargo put this program.
#[derive(Debug, PartialEq, Eq)]
struct Made<'a> {
    target_folder: &'a Path,
    triple: Option<&'a str>,
}

impl<'a> Made<'a> {
    /// Reads it off the program's path: `<target folder>[/<triple>]/<profile>[/deps]/<program>`. Cargo's
    /// `.rustc_info.json` marks the target folder; a program that was copied elsewhere has none above it.
    fn of(program: &'a Path) -> Option<Self> {
        let target_folder = program.ancestors().find(|folder| folder.join(".rustc_info.json").is_file())?;
        let mut inside = program.strip_prefix(target_folder).ok()?.iter().filter_map(|part| part.to_str());
        let triple = inside.next().filter(|part| part.matches('-').count() >= 2);
        Some(Self { target_folder, triple })
    }
}

/// The binaries named in cargo's messages, by name.
fn executables(messages: &str) -> HashMap<String, PathBuf> {
    #[derive(serde::Deserialize)]
    struct Message {
        target: Target,
        executable: PathBuf,
    }
    #[derive(serde::Deserialize)]
    struct Target {
        name: String,
        kind: Vec<String>,
    }
    // Every other kind of message lacks one of these fields.
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let binaries = messages.filter(|message| message.target.kind == ["bin"]);
    binaries.map(|message| (message.target.name, message.executable)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_executables_that_cargo_reports_count() {
        let messages = r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"drain"},"executable":null}
            {"reason":"compiler-artifact","target":{"kind":["bin"],"name":"drain"},"executable":"/t/debug/drain"}
            {"reason":"compiler-artifact","target":{"kind":["custom-build"],"name":"x"},"executable":null}
            {"reason":"build-finished","success":true}"#;
        assert_eq!(executables(messages), HashMap::from([("drain".to_owned(), PathBuf::from("/t/debug/drain"))]));
    }

    #[test]
    fn the_target_folder_is_read_off_the_programs_path() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".rustc_info.json"), "{}").unwrap();
        let plain = folder.path().join("debug/deps/drain-0a1b");
        assert_eq!(Made::of(&plain), Some(Made { target_folder: folder.path(), triple: None }));
        let cross = folder.path().join("aarch64-unknown-linux-gnu/release/drain");
        let triple = Some("aarch64-unknown-linux-gnu");
        assert_eq!(Made::of(&cross), Some(Made { target_folder: folder.path(), triple }));
        assert_eq!(Made::of(Path::new("/usr/bin/drain")), None);
    }

    #[test]
    fn what_cargo_says_of_one_package_stays_out_of_the_nested_build() {
        assert!(of_one_package("CARGO_PKG_NAME") && of_one_package("CARGO_MANIFEST_DIR"));
        assert!(!of_one_package("CARGO_HOME") && !of_one_package("CARGO_TARGET_DIR") && !of_one_package("CARGO"));
    }
}

//! A Python environment with the other emulator, made once per checkout and kept among the build's files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

const REQUIREMENTS: &str = include_str!("requirements.txt");

/// The interpreter of the environment.
///
/// # Panics
/// With what to install, if it can't be made: a suite that runs against nothing would pass.
pub fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("cargo's target folder");
        let venv = target.join("ministack-venv");
        if !is_current(&venv) {
            make(&venv);
        }
        interpreter(&venv)
    })
}

fn interpreter(venv: &Path) -> PathBuf {
    venv.join("bin/python")
}

/// Whether the environment is there, whole, and of these requirements: they are written into it last.
fn is_current(venv: &Path) -> bool {
    fs::read_to_string(venv.join("requirements.txt")).is_ok_and(|made_of| made_of == REQUIREMENTS)
        && interpreter(venv).exists()
}

/// Makes the environment beside its place and moves it there, so that two test runs never share half of one.
fn make(venv: &Path) {
    let parent = venv.parent().expect("an absolute path");
    let fresh = tempfile::Builder::new().prefix("ministack-venv-").tempdir_in(parent).expect("a folder in target/");
    let requirements = fresh.path().join("requirements.in");
    fs::write(&requirements, REQUIREMENTS).expect("a file in target/");
    run(
        Command::new("python3").args(["-m", "venv"]).arg(fresh.path()),
        "Install Python 3 with its venv module (Debian: apt-get install python3 python3-venv).",
    );
    run(
        Command::new(interpreter(fresh.path()))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement"])
            .arg(&requirements),
        "pip must reach a package index that has them.",
    );
    fs::write(fresh.path().join("requirements.txt"), REQUIREMENTS).expect("a file in target/");
    let fresh = fresh.keep();
    let _ = fs::remove_dir_all(venv);
    if fs::rename(&fresh, venv).is_err() {
        // Another run was faster.
        let _ = fs::remove_dir_all(&fresh);
        assert!(is_current(venv), "{} is in the way of the Python environment: remove it", venv.display());
    }
}

fn run(command: &mut Command, advice: &str) {
    let problem = match command.output() {
        Ok(Output { status, .. }) if status.success() => return,
        Ok(Output { status, stdout, stderr }) => {
            let printed = [stdout, stderr].concat();
            format!("{status}\n{}", String::from_utf8_lossy(&printed))
        }
        Err(error) => error.to_string(),
    };
    panic!("The conformance suite needs ministack, which runs on Python. {advice}\n{command:?} failed: {problem}");
}

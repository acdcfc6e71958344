//! How a function is run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pushwake::limits::FUNCTION_TIMEOUT;

use super::Line;

/// Called with every line an instance writes.
pub type OnLine = Arc<dyn Fn(&Line) + Send + Sync>;

/// How a function is run.
#[derive(Clone)]
pub struct Settings {
    /// The function's name.
    pub name: String,
    /// Its executable.
    pub binary: PathBuf,
    /// Its environment, beyond what Lambda sets.
    pub environment: Vec<(String, String)>,
    /// Instances at once; an invocation beyond them is throttled.
    pub concurrency: usize,
    /// An invocation that takes longer is killed.
    pub timeout: Duration,
    /// Whether instances are stopped between invocations.
    pub freeze: bool,
    /// How long an instance may be idle before it is ended; `None` keeps it.
    pub idle_for: Option<Duration>,
    /// Sees what the instances write.
    pub on_line: Option<OnLine>,
}

impl Settings {
    /// One frozen instance at a time, with the functions' time-out and an empty environment.
    pub fn new(name: &str, binary: &Path) -> Self {
        Self {
            name: name.to_owned(),
            binary: binary.to_owned(),
            environment: Vec::new(),
            concurrency: 1,
            timeout: FUNCTION_TIMEOUT,
            freeze: true,
            idle_for: None,
            on_line: None,
        }
    }
}

//! The Lambda Runtime API, and the functions it runs: real binaries, one process per instance.
//!
//! A [`Function`] starts instances on demand up to its concurrency and reuses the one used last. Each instance has a
//! server of its own on loopback, so a request tells by its port who it comes from. An invocation ends when the
//! instance has answered *and* asks for the next one; then the process is stopped (`SIGSTOP`), as Lambda freezes it,
//! and continued at its next invocation. An instance that is over its time is killed.

mod counts;
mod desk;
mod endpoints;
mod environment;
mod extensions;
mod function;
mod instance;
mod instances;
mod invocation;
mod output;
mod process;
mod settings;

pub use counts::Counts;
pub use function::Function;
pub use invocation::Invocation;
pub use output::{Line, Output, Stream};
pub use settings::{OnLine, Settings};

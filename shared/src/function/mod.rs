//! What every function's `main` needs: its configuration, secrets, database, log lines, and the loop of invocations.
//!
//! A `main` reads its configuration and hands it to [`run()`], with how to build its clients and what handles an
//! invocation. Whatever is at fault before the first invocation ends the process with one ERROR line, which Lambda
//! reports as an init error.

pub mod apps;
pub mod aws;
pub mod config;
pub mod database;
pub mod deadline;
mod device_hash;
pub mod iam;
pub mod log;
pub mod metric;
mod run;
pub mod secret;

pub use device_hash::device_hash;
pub use run::{Event, Failure, run};

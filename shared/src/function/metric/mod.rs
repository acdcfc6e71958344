//! The metrics: every name in one enum, so that a dashboard, an alarm and the code can't disagree.
//!
//! A function counts while it works and writes what it counted before it answers, as lines on standard output in
//! CloudWatch's embedded metric format: CloudWatch makes metrics of them, without a call, a client or a rights
//! statement of ours. What is written is out of the process, so a freeze costs nothing.

mod counts;
mod name;

pub use counts::Counts;
pub use name::{Dimension, Metric, SERIES_PER_APP, Unit};

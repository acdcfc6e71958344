//! The metrics: every name in one enum, so that a dashboard, an alarm and the code can't disagree.
//!
//! A function counts while it works and writes what it counted before it answers, as lines on standard output in
//! CloudWatch's embedded metric format: CloudWatch makes metrics of them, without a call, a client or a right of ours.
//! What is written has left the process, so a freeze costs nothing.
//!
//! The format is written here, in some fifty lines. The crate for it that is well kept, `metrics_cloudwatch_embedded`,
//! was looked at and left: it keeps a hundred values of a histogram between two flushes and drops the others, where a
//! drain has thousands, and its counters are one registry of the process, where ours belong to an invocation.

mod counts;
mod dimension;
mod line;
mod name;
mod sink;

pub use counts::Counts;
pub use dimension::{Dimension, Unit};
pub use line::{Line, Value};
pub use name::{Metric, SERIES_PER_APP};
pub use sink::{Metrics, milliseconds_since_1970};

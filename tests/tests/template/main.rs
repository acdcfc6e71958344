//! One truth: template.yaml says what the code says.

mod alarms;
mod callers;
mod cost;
mod dashboard;
mod functions;
mod metrics;
mod outputs;
mod page;
mod parameters;
mod policies;
mod queues;
mod roles;
mod sam_local;
mod stages;

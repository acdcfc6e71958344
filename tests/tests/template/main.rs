//! One truth: template.yaml says what the code says.

mod alarms;
mod functions;
mod page;
mod parameters;
mod policies;
mod queues;
mod roles;

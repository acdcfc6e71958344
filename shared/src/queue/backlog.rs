//! Backlog: what the database says is due.

use std::time::Duration;

use super::connection::{Queue, QueueError};
use crate::contract::AppId;

/// What is due, as far as a top-up needs to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Due, unleased lanes of unpaused apps, counted up to [`DRAINS`](crate::limits::DRAINS).
    pub due: usize,
    /// How long the oldest of them has been due.
    pub oldest: Duration,
    /// Until the earliest future due time, end of a lease or end of a pause.
    pub next: Option<Duration>,
}

impl Queue {
    /// Reads the backlog. `apps`: only these (a drain's); `None`: every app with lanes (schedule's).
    pub async fn backlog(&self, apps: Option<&[AppId]>) -> Result<Backlog, QueueError> {
        let _ = apps;
        todo!()
    }
}

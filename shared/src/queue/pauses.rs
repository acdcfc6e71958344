//! Pauses of an app, and tokens that are dead.

use std::time::Duration;

use time::OffsetDateTime;

use super::connection::{Queue, QueueError};
use crate::contract::{AppId, DeviceId};

/// Whose turn it is to try a paused app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Ours: claim one head of the app and report.
    Ours,
    /// Not due, another drain's, or not paused.
    NotOurs,
}

/// A token its provider called dead.
#[derive(Clone, Debug)]
pub struct DeadToken {
    /// The app.
    pub app: AppId,
    /// The device it was registered for.
    pub device: DeviceId,
    /// SHA-256 of the token or endpoint.
    pub token_hash: Vec<u8>,
    /// The provider's reason.
    pub reason: String,
    /// The provider's own time of the verdict, where it names one; else the database's clock.
    pub dead_at: Option<OffsetDateTime>,
}

impl Queue {
    /// Records dead tokens (the outbox of the feedback queue). Committed before anything is posted.
    pub async fn mark_dead(&self, dead: &[DeadToken]) -> Result<(), QueueError> {
        let _ = dead;
        todo!()
    }

    /// Pauses an app, or prolongs its pause by one step: 10 s doubling to 10 min, never below `at_least`.
    /// One transaction per app, after the finish has committed. Returns how long it is paused now.
    pub async fn pause(&self, app: &AppId, reason: &str, at_least: Option<Duration>) -> Result<Duration, QueueError> {
        let _ = (app, reason, at_least);
        todo!()
    }

    /// Ends a pause: a probe was accepted.
    pub async fn resume(&self, app: &AppId) -> Result<(), QueueError> {
        let _ = app;
        todo!()
    }

    /// Tries to take the one probe of a pause whose time is over. A probe not reported within a lease is free again.
    pub async fn take_probe(&self, app: &AppId) -> Result<Probe, QueueError> {
        let _ = app;
        todo!()
    }

    /// Gives the probe back (nothing to send, or an ambiguous answer), so that another drain may take it at once.
    pub async fn give_probe_back(&self, app: &AppId) -> Result<(), QueueError> {
        let _ = app;
        todo!()
    }
}

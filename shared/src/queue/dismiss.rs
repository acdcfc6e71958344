//! Dismiss: take an earlier event back, and tell the device with a silent push.
//!
//! The dismissal is recorded first; then the lanes are locked by enqueue's own upsert, since a `for update` can't see
//! a lane whose insert is not committed yet. What is in flight is not recalled: its finish reads the dismissal after
//! its locks, and discards it instead of retrying.

use std::collections::HashSet;

use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::batch::{Answer, Batch, BatchDevice, Enqueued, WakeAt};
use super::connection::Queue;
use super::enqueue::keys;
use super::statements;
use crate::limits::DISMISSAL_KEPT;

impl Queue {
    pub(super) async fn dismiss_in(&self, connection: &mut PgConnection, batch: &Batch) -> sqlx::Result<Enqueued> {
        let new = self.record(&mut *connection, batch).await?;
        // a second dismissal finds the first one's row and sends no second push
        let devices: Vec<&BatchDevice> = batch.devices.iter().filter(|device| new.contains(&key(device))).collect();
        self.lock_lanes(&mut *connection, &devices).await?;
        let (apps, ids) = keys(devices.iter().copied());
        self.sql(statements::DISMISS_DELETE)
            .bind(batch.source.as_str())
            .bind(batch.event.as_str())
            .bind(apps)
            .bind(ids)
            .execute(&mut *connection)
            .await?;
        let lanes = self.read_lanes(&mut *connection, batch, &devices).await?;
        let pushes: Vec<Answer> = lanes.iter().map(|lane| lane.admission(batch)).collect();
        let mut wake = self.insert(&mut *connection, batch, &devices, &lanes, &pushes).await?;
        if devices.len() < batch.devices.len() {
            // a caller that tries again may be repairing the wake that a crash after the commit lost
            wake = WakeAt::Now;
        }
        self.tidy(connection, &devices, &pushes).await?;
        // the dismissal stands even where its push finds no room
        Ok(Enqueued { answers: vec![Answer::Dismissed; batch.devices.len()], wake })
    }

    async fn record(&self, connection: &mut PgConnection, batch: &Batch) -> sqlx::Result<HashSet<(String, String)>> {
        let (apps, ids) = keys(batch.devices.iter());
        self.sql(statements::DISMISS_RECORD)
            .bind(batch.source.as_str())
            .bind(batch.event.as_str())
            .bind(apps)
            .bind(ids)
            .bind(DISMISSAL_KEPT.as_secs_f64())
            .fetch_all(connection)
            .await?
            .iter()
            .map(|row| Ok((row.try_get("app")?, row.try_get("device")?)))
            .collect()
    }
}

fn key(device: &BatchDevice) -> (String, String) {
    (device.app.as_str().to_owned(), device.device.as_str().to_owned())
}

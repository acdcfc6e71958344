//! Enqueue: insert what is new, in one transaction.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use super::batch::{Answer, Batch, BatchDevice, Enqueued, WakeAt};
use super::begin::BEGIN_WAITING;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::contract::{Kind, Source};
use crate::limits::{
    CALLER_SKEW, DEVICE_PENDING, DISMISSAL_KEPT, ENQUEUE_DEADLINE, LONGEST_LIFE, PAYLOAD_FORMAT, QUOTA_WINDOW,
    RECEIPT_AFTER_EXPIRY, RECEIPT_KEPT, SEND_AHEAD,
};

impl Queue {
    /// Queues (or, for [`Kind::Dismiss`], dismisses) one event for every device of `batch`, and commits.
    pub async fn enqueue(&self, batch: &Batch) -> Result<Enqueued, QueueError> {
        within("an enqueue", ENQUEUE_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_WAITING).await?;
            let enqueued = match batch.kind {
                Kind::Dismiss => self.dismiss_in(transaction.connection(), batch).await?,
                Kind::Alert | Kind::Background => self.enqueue_in(transaction.connection(), batch).await?,
            };
            self.commit(transaction).await?;
            Ok(enqueued)
        })
        .await
    }

    async fn enqueue_in(&self, connection: &mut PgConnection, batch: &Batch) -> sqlx::Result<Enqueued> {
        let devices: Vec<&BatchDevice> = batch.devices.iter().collect();
        self.lock_lanes(&mut *connection, &devices).await?;
        let lanes = self.read_lanes(&mut *connection, batch, &devices).await?;
        let answers: Vec<Answer> = lanes.iter().map(|lane| lane.answer(batch)).collect();
        let wake = self.insert(&mut *connection, batch, &devices, &lanes, &answers).await?;
        self.tidy(connection, &devices, &answers).await?;
        Ok(Enqueued { wake: retried(wake, &answers), answers })
    }

    pub(super) async fn lock_lanes(&self, connection: &mut PgConnection, devices: &[&BatchDevice]) -> sqlx::Result<()> {
        let (apps, ids) = keys(devices.iter().copied());
        self.sql(statements::ENQUEUE_LANES).bind(apps).bind(ids).execute(connection).await?;
        Ok(())
    }

    pub(super) async fn read_lanes(
        &self,
        connection: &mut PgConnection,
        batch: &Batch,
        devices: &[&BatchDevice],
    ) -> sqlx::Result<Vec<Lane>> {
        let (apps, ids) = keys(devices.iter().copied());
        self.sql(statements::ENQUEUE_READ)
            .bind(batch.source.as_str())
            .bind(batch.event.as_str())
            .bind(apps)
            .bind(ids)
            .bind(devices.iter().map(|device| device.token_hash.as_slice()).collect::<Vec<_>>())
            .bind(devices.iter().map(|device| device.registered_at).collect::<Vec<_>>())
            .bind(batch.send_at)
            .bind(DISMISSAL_KEPT.as_secs_f64())
            .bind(DEVICE_PENDING)
            .fetch_all(connection)
            .await?
            .iter()
            .map(Lane::from_row)
            .collect()
    }

    /// Inserts what is to be queued; answers when a wake is wanted.
    pub(super) async fn insert(
        &self,
        connection: &mut PgConnection,
        batch: &Batch,
        devices: &[&BatchDevice],
        lanes: &[Lane],
        answers: &[Answer],
    ) -> sqlx::Result<WakeAt> {
        let queued: Vec<(&BatchDevice, &Lane)> = devices
            .iter()
            .zip(lanes)
            .zip(answers)
            .filter(|(_, answer)| **answer == Answer::Queued)
            .map(|((device, lane), _)| (*device, lane))
            .collect();
        if queued.is_empty() {
            return Ok(WakeAt::NotNeeded);
        }
        let (apps, ids) = keys(queued.iter().map(|(device, _)| *device));
        let row = self
            .sql(statements::ENQUEUE_INSERT)
            .bind(batch.source.as_str())
            .bind(batch.event.as_str())
            .bind(batch.kind.as_str())
            .bind(PAYLOAD_FORMAT)
            .bind(batch.payload.as_str())
            .bind(batch.fingerprint.as_slice())
            .bind(apps)
            .bind(ids)
            .bind(queued.iter().map(|(device, _)| device.target.as_str()).collect::<Vec<_>>())
            .bind(queued.iter().map(|(_, lane)| lane.send_at).collect::<Vec<_>>())
            .bind(queued.iter().map(|(_, lane)| lane.expires_at(batch)).collect::<Vec<_>>())
            .bind(queued[0].1.now)
            .bind(RECEIPT_KEPT.as_secs_f64())
            .bind(RECEIPT_AFTER_EXPIRY.as_secs_f64())
            .fetch_one(connection)
            .await?;
        Ok(match row.try_get::<Option<f64>, _>("due_in")? {
            None => WakeAt::NotNeeded,
            Some(seconds) if seconds <= 0.0 => WakeAt::Now,
            Some(seconds) => WakeAt::After(Duration::from_secs_f64(seconds)),
        })
    }

    pub(super) async fn tidy(
        &self,
        connection: &mut PgConnection,
        devices: &[&BatchDevice],
        answers: &[Answer],
    ) -> sqlx::Result<()> {
        let not_queued = devices.iter().zip(answers).filter(|(_, answer)| **answer != Answer::Queued);
        let (apps, ids) = keys(not_queued.map(|(device, _)| *device));
        if !apps.is_empty() {
            self.sql(statements::ENQUEUE_TIDY).bind(apps).bind(ids).execute(connection).await?;
        }
        Ok(())
    }

    /// Spends `n` of a source's quota of `limit` per [`QUOTA_WINDOW`], in a transaction
    /// of its own; false when less than `n` was left, and then nothing is spent.
    pub async fn spend_quota(&self, source: &Source, n: usize, limit: i64) -> Result<bool, QueueError> {
        within("a quota", ENQUEUE_DEADLINE, async {
            let mut alone = self.alone().await?;
            let spent = self
                .sql(statements::QUOTA_SPEND)
                .bind(source.as_str())
                .bind(n as i64)
                .bind(limit)
                .bind(QUOTA_WINDOW.as_secs_f64())
                .fetch_optional(alone.connection())
                .await?;
            self.done(alone).await?;
            Ok(spent.is_some())
        })
        .await
    }
}

/// What a call meets in one lane.
#[derive(FromRow)]
pub(super) struct Lane {
    /// The same in all lanes of a call.
    now: OffsetDateTime,
    send_at: OffsetDateTime,
    receipt: Option<Vec<u8>>,
    dismissed: bool,
    unregistered: bool,
    pending: i64,
}

impl Lane {
    fn answer(&self, batch: &Batch) -> Answer {
        match &self.receipt {
            _ if self.dismissed => Answer::Dismissed,
            Some(receipt) if *receipt == batch.fingerprint => Answer::Duplicate,
            Some(_) => Answer::Conflict,
            None => self.admission(batch),
        }
    }

    /// Whether a notification that is new may enter the lane.
    pub(super) fn admission(&self, batch: &Batch) -> Answer {
        let due = batch.send_at.map_or(self.now, |send_at| send_at.max(self.now));
        if due > self.now + SEND_AHEAD + CALLER_SKEW {
            Answer::TooFarAhead
        } else if batch.expires_at.is_some_and(|expires_at| expires_at > due + LONGEST_LIFE + CALLER_SKEW) {
            Answer::TooLongLife
        } else if self.expires_at(batch) <= self.send_at {
            Answer::Expired
        } else if self.unregistered {
            Answer::Unregistered
        } else if self.pending >= DEVICE_PENDING {
            Answer::RateLimited
        } else {
            Answer::Queued
        }
    }

    fn expires_at(&self, batch: &Batch) -> OffsetDateTime {
        // a dismissal carries the expiry of nothing: its silent push lives for the default life
        batch.expires_at.unwrap_or(self.send_at + batch.life).min(self.send_at + LONGEST_LIFE)
    }
}

/// A caller that tries again may be repairing the wake that a crash after the commit lost.
fn retried(wake: WakeAt, answers: &[Answer]) -> WakeAt {
    if answers.contains(&Answer::Duplicate) { WakeAt::Now } else { wake }
}

/// The keys of lanes as the two columns that the statements unnest.
pub(super) fn keys<'a>(devices: impl Iterator<Item = &'a BatchDevice>) -> (Vec<&'a str>, Vec<&'a str>) {
    devices.map(|device| (device.app.as_str(), device.device.as_str())).unzip()
}

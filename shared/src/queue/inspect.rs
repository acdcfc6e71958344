//! Inspect: where an event or a device stands, for an operator.
//!
//! One read-only transaction with one snapshot, so that what it shows belongs together. It locks nothing, and looks up
//! every row by a key: a broadcast costs what its first devices cost, and the answer says where it was cut.

use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use super::begin::BEGIN_LOOKING;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::contract::{AppId, DeviceId, EventId, Source};
use crate::limits::{DEVICE_PENDING, INSPECTED_DEVICES, INSPECTED_EVENTS, INSPECTED_ROWS, STATEMENT_DEADLINE};
use crate::operator::{
    DeadVerdict, DeviceStory, EventStory, Lane, Pause, Standing, State, VERSION, Waiting, WhereInLane,
};

const STEP: &str = "an inspect";

impl Queue {
    /// Where an event stands with each of its devices; without a source, over all of them. An event that nobody knows
    /// has no devices.
    pub async fn inspect_event(&self, source: Option<&Source>, event: &EventId) -> Result<EventStory, QueueError> {
        within(STEP, STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_LOOKING).await?;
            let connection = transaction.connection();
            let find = self.sql(statements::INSPECT_EVENT).bind(source.map(Source::as_str)).bind(event.as_str());
            let found = find.bind(INSPECTED_DEVICES as i64 + 1).fetch_all(&mut *connection).await?;
            let (devices, cut) = self.standings(&mut *connection, &found, INSPECTED_DEVICES).await?;
            let mut apps: Vec<String> = devices.iter().map(|standing| standing.app.as_str().to_owned()).collect();
            apps.sort_unstable();
            apps.dedup();
            let pauses = self.pauses(&mut *connection, &apps).await?;
            let time = self.now(connection).await?;
            self.commit(transaction).await?;
            Ok(EventStory { v: VERSION, time, event: event.clone(), devices, pauses, cut })
        })
        .await
    }

    /// What is known of a device; without an app, over all of them. A device that nobody knows has no events, no lanes
    /// and no dead tokens.
    pub async fn inspect_device(&self, app: Option<&AppId>, device: &DeviceId) -> Result<DeviceStory, QueueError> {
        within(STEP, STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_LOOKING).await?;
            let connection = transaction.connection();
            let find = self.sql(statements::INSPECT_APPS).bind(app.map(AppId::as_str)).bind(device.as_str());
            let rows = find.bind(DEVICE_PENDING).fetch_all(&mut *connection).await?;
            let apps: Vec<String> = rows.iter().map(|row| row.try_get("app")).collect::<Result<_, _>>()?;
            let lanes = rows.iter().map(lane).filter_map(Result::transpose).collect::<Result<_, _>>()?;
            let find = self.sql(statements::INSPECT_DEVICE).bind(&apps).bind(device.as_str());
            let found = find.bind(INSPECTED_EVENTS as i64 + 1).fetch_all(&mut *connection).await?;
            let (events, cut) = self.standings(&mut *connection, &found, INSPECTED_EVENTS).await?;
            let find = self.sql(statements::INSPECT_DEAD_TOKENS).bind(&apps).bind(device.as_str());
            let dead = find.bind(INSPECTED_ROWS as i64 + 1).fetch_all(&mut *connection).await?;
            let dead_tokens = dead.iter().take(INSPECTED_ROWS).map(verdict).collect::<Result<_, _>>()?;
            let pauses = self.pauses(&mut *connection, &apps).await?;
            let time = self.now(connection).await?;
            self.commit(transaction).await?;
            let cut = cut || dead.len() > INSPECTED_ROWS;
            Ok(DeviceStory { v: VERSION, time, device: device.clone(), lanes, events, dead_tokens, pauses, cut })
        })
        .await
    }

    /// The standings of up to `most` keys, and whether there were more.
    async fn standings(
        &self,
        connection: &mut PgConnection,
        keys: &[PgRow],
        most: usize,
    ) -> sqlx::Result<(Vec<Standing>, bool)> {
        let cut = keys.len() > most;
        let keys = &keys[..keys.len().min(most)];
        let column = |name: &str| keys.iter().map(|row| row.try_get(name)).collect::<sqlx::Result<Vec<String>>>();
        let rows = self
            .sql(statements::INSPECT_STANDINGS)
            .bind(column("source")?)
            .bind(column("event")?)
            .bind(column("app")?)
            .bind(column("device")?)
            .bind(DEVICE_PENDING)
            .fetch_all(connection)
            .await?;
        Ok((rows.iter().map(standing).collect::<Result<_, _>>()?, cut))
    }

    async fn pauses(&self, connection: &mut PgConnection, apps: &[String]) -> sqlx::Result<Vec<Pause>> {
        let rows = self.sql(statements::INSPECT_PAUSES).bind(apps).fetch_all(connection).await?;
        let pause = |row: &PgRow| {
            let app: String = row.try_get("app")?;
            let (reason, since, until) = (row.try_get("reason")?, row.try_get("paused_at")?, row.try_get("until")?);
            Ok(Pause { app: app.into(), reason, since, until })
        };
        rows.iter().map(pause).collect()
    }

    async fn now(&self, connection: &mut PgConnection) -> sqlx::Result<OffsetDateTime> {
        self.sql(statements::INSPECT_CLOCK).fetch_one(connection).await?.try_get("now")
    }
}

fn standing(row: &PgRow) -> sqlx::Result<Standing> {
    let key = Key::from_row(row)?;
    let dismissed_at: Option<OffsetDateTime> = row.try_get("dismissed_at")?;
    let waiting = if row.try_get("waiting")? {
        Some(Waiting {
            kind: row.try_get("kind")?,
            send_at: row.try_get("send_at")?,
            expires_at: row.try_get("expires_at")?,
            behind: row.try_get::<i64, _>("behind")? as u32,
            lane: place(row)?,
        })
    } else {
        None
    };
    let head: bool = row.try_get("head")?;
    let state = match &waiting {
        Some(waiting) if head && waiting.lane.leased_until.is_some() => State::InFlight,
        Some(_) => State::Queued,
        None if dismissed_at.is_some() => State::Dismissed,
        None => State::Finished,
    };
    let dead_token = match row.try_get::<Option<String>, _>("dead_reason")? {
        Some(reason) => Some(DeadVerdict {
            app: key.app.as_str().into(),
            reason,
            time: row.try_get("dead_at")?,
            source: row.try_get::<Option<String>, _>("dead_source")?.map(Into::into),
            event: row.try_get::<Option<String>, _>("dead_event")?.map(Into::into),
        }),
        None => None,
    };
    let duplicate_until = row.try_get("duplicate_until")?;
    let Key { source, event, app, device } = key;
    Ok(Standing {
        source: source.into(),
        event: event.into(),
        app: app.into(),
        device: device.into(),
        state,
        waiting,
        duplicate_until,
        dismissed_at,
        dead_token,
    })
}

fn place(row: &PgRow) -> sqlx::Result<WhereInLane> {
    Ok(WhereInLane {
        due_at: row.try_get("due_at")?,
        attempts: row.try_get::<Option<i32>, _>("attempts")?.unwrap_or_default() as u32,
        unanswered: row.try_get::<Option<i32>, _>("unanswered")?.unwrap_or_default() as u32,
        leased_until: row.try_get("leased_until")?,
        rest_until: row.try_get("rest_until")?,
    })
}

/// The lane of an app, where the device has one.
fn lane(row: &PgRow) -> sqlx::Result<Option<Lane>> {
    if !row.try_get::<bool, _>("laned")? {
        return Ok(None);
    }
    let app: String = row.try_get("app")?;
    Ok(Some(Lane { app: app.into(), pending: row.try_get::<i64, _>("pending")? as u32, place: place(row)? }))
}

fn verdict(row: &PgRow) -> sqlx::Result<DeadVerdict> {
    let app: String = row.try_get("app")?;
    Ok(DeadVerdict {
        app: app.into(),
        reason: row.try_get("reason")?,
        time: row.try_get("dead_at")?,
        source: row.try_get::<Option<String>, _>("source")?.map(Into::into),
        event: row.try_get::<Option<String>, _>("event")?.map(Into::into),
    })
}

#[derive(FromRow)]
struct Key {
    source: String,
    event: String,
    app: String,
    device: String,
}

//! Prune: delete what is expired or past its retention.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnection;
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use super::begin::BEGIN_WAITING;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::{lock_keys, statements};
use crate::limits::{DEAD_TOKEN_KEPT, DISMISSAL_KEPT, PAST_PAUSE_KEPT, PRUNE_BATCH, QUOTA_KEPT, STATEMENT_DEADLINE};

/// What a prune did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Another prune was running, and nothing was done.
    pub busy: bool,
    /// Expired notifications deleted.
    pub expired: u64,
    /// Receipts, dismissals, quotas, dead tokens and past pauses deleted.
    pub retired: u64,
    /// The time budget ended before the work did.
    pub saturated: bool,
}

/// Where the prune of expired notifications goes on: behind the last row it saw, deleted or not.
#[derive(Clone, Copy)]
struct Behind {
    expires_at: OffsetDateTime,
    seq: i64,
}

/// The other tables, in turn: their statement and how long their rows outlive the column it reads.
const RETIRED: [(&str, Duration); 5] = [
    (statements::PRUNE_RECEIPTS, Duration::ZERO),
    (statements::PRUNE_DISMISSALS, DISMISSAL_KEPT),
    (statements::PRUNE_QUOTAS, QUOTA_KEPT),
    (statements::PRUNE_DEAD_TOKENS, DEAD_TOKEN_KEPT),
    (statements::PRUNE_PAST_PAUSES, PAST_PAUSE_KEPT),
];

/// What one prune statement met: another prune, rows to delete, or the end of its table.
enum Batch {
    Busy,
    Deleted { rows: u64, last: bool },
}

impl Queue {
    /// Prunes until nothing is left or `budget` is spent; one at a time across all callers.
    pub async fn prune(&self, budget: Duration) -> Result<Pruned, QueueError> {
        let end = Instant::now() + budget;
        let mut pruned = Pruned::default();
        let mut behind = Some(Behind { expires_at: OffsetDateTime::UNIX_EPOCH, seq: 0 });
        let mut retired: Vec<_> = RETIRED.to_vec();
        // the tables in turn, so that a saturated one doesn't keep the others waiting for ever
        while behind.is_some() || !retired.is_empty() {
            let mut left = Vec::with_capacity(retired.len());
            if let Some(from) = behind {
                if pruned.is_late(end) {
                    break;
                }
                let (batch, next) = self.prune_expired(from).await?;
                behind = next;
                pruned.add(&batch, |pruned| &mut pruned.expired);
            }
            for (statement, kept) in retired {
                // before every statement: a round of them is longer than what the caller keeps for the last one
                if pruned.is_late(end) {
                    break;
                }
                let batch = self.prune_retired(statement, kept).await?;
                pruned.add(&batch, |pruned| &mut pruned.retired);
                if matches!(batch, Batch::Deleted { last: false, .. }) {
                    left.push((statement, kept));
                }
            }
            retired = left;
            if pruned.busy || pruned.saturated {
                break;
            }
        }
        Ok(pruned)
    }

    async fn prune_expired(&self, from: Behind) -> Result<(Batch, Option<Behind>), QueueError> {
        within("a prune", STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_WAITING).await?;
            let connection = transaction.connection();
            if !self.take_prune_key(&mut *connection).await? {
                return Ok((Batch::Busy, None));
            }
            let found = self
                .sql(statements::PRUNE_FIND)
                .bind(from.expires_at)
                .bind(from.seq)
                .bind(PRUNE_BATCH)
                .fetch_all(&mut *connection)
                .await?;
            let found: Vec<Expired> = found.iter().map(Expired::from_row).collect::<Result<_, _>>()?;
            let rows = self.delete_expired(connection, &found).await?;
            self.commit(transaction).await?;
            let last = (found.len() as i64) < PRUNE_BATCH;
            let next = found.last().filter(|_| !last).map(|row| Behind { expires_at: row.expires_at, seq: row.seq });
            Ok((Batch::Deleted { rows, last }, next))
        })
        .await
    }

    async fn delete_expired(&self, connection: &mut PgConnection, found: &[Expired]) -> sqlx::Result<u64> {
        let deleted = self
            .sql(statements::PRUNE_DELETE)
            .bind(found.iter().map(|row| row.app.as_str()).collect::<Vec<_>>())
            .bind(found.iter().map(|row| row.device.as_str()).collect::<Vec<_>>())
            .bind(found.iter().map(|row| row.seq).collect::<Vec<_>>())
            .fetch_all(&mut *connection)
            .await?;
        let (mut apps, mut devices) = (Vec::<String>::new(), Vec::<String>::new());
        for row in &deleted {
            if row.try_get("head")? {
                apps.push(row.try_get("app")?);
                devices.push(row.try_get("device")?);
            }
        }
        if !apps.is_empty() {
            self.sql(statements::PRUNE_LANES).bind(apps).bind(devices).execute(connection).await?;
        }
        Ok(deleted.len() as u64)
    }

    async fn prune_retired(&self, statement: &'static str, kept: Duration) -> Result<Batch, QueueError> {
        within("a prune", STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_WAITING).await?;
            let connection = transaction.connection();
            if !self.take_prune_key(&mut *connection).await? {
                return Ok(Batch::Busy);
            }
            let deleted = self.sql(statement).bind(kept.as_secs_f64()).bind(PRUNE_BATCH).execute(connection).await?;
            self.commit(transaction).await?;
            let rows = deleted.rows_affected();
            Ok(Batch::Deleted { rows, last: rows < PRUNE_BATCH as u64 })
        })
        .await
    }

    async fn take_prune_key(&self, connection: &mut PgConnection) -> sqlx::Result<bool> {
        self.sql(statements::PRUNE_KEY).bind(lock_keys::PRUNE).fetch_one(connection).await?.try_get("held")
    }
}

impl Pruned {
    /// Whether the budget is spent; there is more to do, so it is saturated then.
    fn is_late(&mut self, end: Instant) -> bool {
        self.saturated = Instant::now() >= end;
        self.saturated
    }

    fn add(&mut self, batch: &Batch, count: impl Fn(&mut Self) -> &mut u64) {
        match batch {
            Batch::Busy => self.busy = true,
            Batch::Deleted { rows, .. } => *count(self) += rows,
        }
    }
}

#[derive(FromRow)]
struct Expired {
    seq: i64,
    app: String,
    device: String,
    expires_at: OffsetDateTime,
}

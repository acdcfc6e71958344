//! The outbox of the feedback queue: dead tokens, pauses and the ends of pauses that are not posted yet.

use std::fmt::Write;

use sqlx::Row;
use sqlx::postgres::PgRow;
use time::OffsetDateTime;

use super::connection::{Queue, within};
use super::error::QueueError;
use super::statements;
use crate::feedback::{Feedback, Message};
use crate::limits::{FEEDBACK_LEASE, OUTBOX_DEADLINE};

/// One row of the outbox, leased.
#[derive(Clone, Debug)]
pub struct Unposted {
    /// What to post.
    pub message: Message,
    table: Table,
    app: String,
    token_hash: Vec<u8>,
    /// The column that tells this verdict from a newer one in the same row.
    version: OffsetDateTime,
}

/// The tables of the outbox: whole apps before single tokens, which are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    Pauses,
    PastPauses,
    DeadTokens,
}

impl Queue {
    /// Leases up to `n` rows of the outbox, the oldest of each table. Others pass over them for [`FEEDBACK_LEASE`].
    pub async fn take_unposted(&self, n: usize) -> Result<Vec<Unposted>, QueueError> {
        within("the outbox", OUTBOX_DEADLINE, async {
            let mut alone = self.alone().await?;
            let mut taken = Vec::new();
            for table in Table::ALL {
                let most = (n - taken.len()) as i64;
                if most > 0 {
                    let take = self.sql(table.take()).bind(most).bind(FEEDBACK_LEASE.as_secs_f64());
                    for row in take.fetch_all(alone.connection()).await? {
                        taken.push(table.read(&row)?);
                    }
                }
            }
            self.done(alone).await?;
            Ok(taken)
        })
        .await
    }

    /// Marks rows as posted, but for those that a newer verdict has replaced.
    pub async fn mark_posted(&self, rows: &[Unposted]) -> Result<(), QueueError> {
        self.end_posting(rows, true).await
    }

    /// Gives rows back that SQS does not have: whoever posts next takes them.
    pub async fn give_unposted_back(&self, rows: &[Unposted]) -> Result<(), QueueError> {
        self.end_posting(rows, false).await
    }

    async fn end_posting(&self, rows: &[Unposted], posted: bool) -> Result<(), QueueError> {
        if rows.is_empty() {
            return Ok(());
        }
        within("the outbox", OUTBOX_DEADLINE, async {
            let mut alone = self.alone().await?;
            for table in Table::ALL {
                let rows: Vec<_> = rows.iter().filter(|row| row.table == table).collect();
                if rows.is_empty() {
                    continue;
                }
                let mut end = self.sql(table.end());
                end = end.bind(rows.iter().map(|row| row.app.as_str()).collect::<Vec<_>>());
                if table == Table::DeadTokens {
                    end = end.bind(rows.iter().map(|row| row.token_hash.as_slice()).collect::<Vec<_>>());
                }
                end = end.bind(rows.iter().map(|row| row.version).collect::<Vec<_>>()).bind(posted);
                end.execute(alone.connection()).await?;
            }
            self.done(alone).await?;
            Ok(())
        })
        .await
    }
}

impl Table {
    const ALL: [Self; 3] = [Self::Pauses, Self::PastPauses, Self::DeadTokens];

    fn take(self) -> &'static str {
        match self {
            Self::Pauses => statements::PAUSES_TAKE,
            Self::PastPauses => statements::PAST_PAUSES_TAKE,
            Self::DeadTokens => statements::DEAD_TOKENS_TAKE,
        }
    }

    fn end(self) -> &'static str {
        match self {
            Self::Pauses => statements::PAUSES_POSTED,
            Self::PastPauses => statements::PAST_PAUSES_POSTED,
            Self::DeadTokens => statements::DEAD_TOKENS_POSTED,
        }
    }

    fn read(self, row: &PgRow) -> sqlx::Result<Unposted> {
        let app: String = row.try_get("app")?;
        let reason = row.try_get("reason")?;
        let mut token_hash = Vec::new();
        let (version, feedback) = match self {
            Self::Pauses => {
                let (time, until) = (row.try_get("paused_at")?, row.try_get("until")?);
                (until, Feedback::Paused { app: app.as_str().into(), reason, time, until })
            }
            Self::PastPauses => {
                let time = row.try_get("resumed_at")?;
                (time, Feedback::Resumed { app: app.as_str().into(), reason, time })
            }
            Self::DeadTokens => {
                let time = row.try_get("dead_at")?;
                token_hash = row.try_get("token_hash")?;
                let feedback = Feedback::Unregistered {
                    app: app.as_str().into(),
                    device: row.try_get::<String, _>("device")?.into(),
                    token_hash: hex(&token_hash),
                    reason,
                    time,
                    source: row.try_get::<Option<String>, _>("source")?.map(Into::into),
                    event: row.try_get::<Option<String>, _>("event")?.map(Into::into),
                };
                (time, feedback)
            }
        };
        Ok(Unposted { message: Message::new(feedback), table: self, app, token_hash, version })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

//! Claim: lease the heads of free lanes.

use std::collections::HashMap;

use sqlx::postgres::PgConnection;
use sqlx::{FromRow, Row};
use time::OffsetDateTime;
use uuid::Uuid;

use super::begin::BEGIN;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::head::{Found, Head, Lease};
use super::share::{Share, left_over, rotated, split};
use super::{lock_keys, statements};
use crate::contract::AppId;
use crate::limits::{CLAIM_TTL, LEASE, STATEMENT_DEADLINE};

/// What a drain asks of a claim.
pub struct Want<'a> {
    /// The apps whose keys the drain holds. Paused ones are left out by the claim itself.
    pub apps: &'a [AppId],
    /// Lanes at most: the free places of the window.
    pub n: usize,
    /// Counts this drain's claims: rotates the apps and gives old rows their turn when `n` is small.
    pub turn: u32,
    /// The drain holds the probe of these apps, so their pauses don't count.
    pub probe: bool,
}

/// What a claim found.
#[derive(Debug)]
pub enum Claim {
    /// At least one lane is leased.
    Claimed(Claimed),
    /// Nothing is due.
    Empty,
    /// Another revision holds the claim key.
    Yielded,
    /// Lanes are due, but all of them are locked.
    Contended,
}

/// The leases of one claim.
#[derive(Debug)]
pub struct Claimed {
    /// The leased heads, in no particular order.
    pub heads: Vec<Head>,
    /// As many as were asked for: more may be waiting.
    pub full: bool,
    /// The database's clock at the claim.
    pub now: OffsetDateTime,
}

impl Queue {
    /// Leases up to `want.n` due lanes of the wanted apps that aren't paused.
    pub async fn claim(&self, want: &Want<'_>) -> Result<Claim, QueueError> {
        within("a claim", STATEMENT_DEADLINE, async {
            let mut transaction = self.begin(BEGIN).await?;
            let claim = self.claim_in(transaction.connection(), want).await?;
            self.commit(transaction).await?;
            Ok(claim)
        })
        .await
    }

    async fn claim_in(&self, connection: &mut PgConnection, want: &Want<'_>) -> sqlx::Result<Claim> {
        let key = self
            .sql(statements::CLAIM_KEY)
            .bind(lock_keys::CLAIM)
            .bind(rotated(want.apps, want.turn))
            .bind(want.probe)
            .fetch_one(&mut *connection)
            .await?;
        if !key.try_get::<bool, _>("held")? {
            return Ok(Claim::Yielded);
        }
        let apps: Vec<String> = key.try_get("apps")?;
        let token = Uuid::new_v4();
        let first = split(&apps, want.n, want.turn);
        let mut leased = self.lease(&mut *connection, &first, token).await?;
        // a second pass for what is left, as a new statement, since a statement does not skip its own locks
        let of: Vec<_> = leased.iter().map(|lane| (lane.app.as_str(), lane.old)).collect();
        let second = left_over(&apps, &first, &of, want.n.saturating_sub(leased.len()), want.turn);
        leased.extend(self.lease(&mut *connection, &second, token).await?);
        if leased.is_empty() {
            let look = self.sql(statements::CLAIM_LOOK).bind(&apps).fetch_one(connection).await?;
            return Ok(if look.try_get(0)? { Claim::Contended } else { Claim::Empty });
        }
        let full = leased.len() >= want.n;
        let now = leased[0].now;
        let heads = self.heads(connection, leased, token).await?;
        Ok(Claim::Claimed(Claimed { heads, full, now }))
    }

    async fn lease(&self, connection: &mut PgConnection, shares: &[Share], token: Uuid) -> sqlx::Result<Vec<Leased>> {
        if shares.is_empty() {
            return Ok(Vec::new());
        }
        self.sql(statements::CLAIM_LEASE)
            .bind(shares.iter().map(|share| share.app.clone()).collect::<Vec<_>>())
            .bind(shares.iter().map(|share| share.old).collect::<Vec<_>>())
            .bind(shares.iter().map(|share| share.n).collect::<Vec<_>>())
            .bind(token)
            .bind(LEASE.as_secs_f64())
            .bind(CLAIM_TTL.as_secs_f64())
            .fetch_all(connection)
            .await?
            .iter()
            .map(Leased::from_row)
            .collect()
    }

    async fn heads(&self, connection: &mut PgConnection, leased: Vec<Leased>, token: Uuid) -> sqlx::Result<Vec<Head>> {
        let seqs: Vec<i64> = leased.iter().map(|lane| lane.head).collect();
        let rows = self.sql(statements::CLAIM_HEADS).bind(seqs).fetch_all(connection).await?;
        let mut found = HashMap::with_capacity(rows.len());
        for row in &rows {
            found.insert(row.try_get::<i64, _>("seq")?, Found::read(row)?);
        }
        let head = |lane: Leased| Head {
            found: found.remove(&lane.head).unwrap_or(Found::Missing),
            lease: Lease { app: lane.app.into(), device: lane.device.into(), head: lane.head, token },
            attempts: lane.attempts,
            unanswered: lane.unanswered,
        };
        Ok(leased.into_iter().map(head).collect())
    }
}

#[derive(FromRow)]
struct Leased {
    app: String,
    device: String,
    head: i64,
    attempts: i32,
    unanswered: i32,
    old: bool,
    now: OffsetDateTime,
}

//! Renew: prolong the leases of one drain.

use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::begin::BEGIN_LANE;
use super::connection::{Queue, within};
use super::error::QueueError;
use super::{Lease, statements};
use crate::limits::{LEASE, RENEW_DEADLINE};

/// What a renewal found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// The lease runs for a whole lease again.
    Renewed,
    /// The lane is locked: renew again soon.
    Skipped,
    /// The lease ran out or the lane is another drain's.
    Lost,
}

impl Queue {
    /// Renews leases in one statement; answers in the order of `leases`.
    pub async fn renew(&self, leases: &[Lease]) -> Result<Vec<Renewal>, QueueError> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        within("a renewal", RENEW_DEADLINE, async {
            let mut alone = self.alone().await?;
            let renewals = self.renew_in(alone.connection(), leases).await?;
            self.done(alone).await?;
            Ok(renewals)
        })
        .await
    }

    /// Renews one lease alone, waiting up to [`LANE_LOCK_TIMEOUT`](crate::limits::LANE_LOCK_TIMEOUT) for its lane.
    /// Still answers [`Renewal::Skipped`] when that was not enough.
    pub async fn renew_waiting(&self, one: &Lease) -> Result<Renewal, QueueError> {
        let waited = within("a renewal", RENEW_DEADLINE, async {
            let mut transaction = self.begin(BEGIN_LANE).await?;
            self.wait_for_lane(transaction.connection(), one).await?;
            // a new statement: its clock is read after the wait
            let renewals = self.renew_in(transaction.connection(), std::slice::from_ref(one)).await?;
            self.commit(transaction).await?;
            Ok(renewals[0])
        })
        .await;
        match waited {
            Err(error) if error.is_lock_timeout() => Ok(Renewal::Skipped),
            waited => waited,
        }
    }

    async fn renew_in(&self, connection: &mut PgConnection, leases: &[Lease]) -> sqlx::Result<Vec<Renewal>> {
        let rows = self
            .sql(statements::RENEW)
            .bind(leases.iter().map(|lease| lease.app.as_str()).collect::<Vec<_>>())
            .bind(leases.iter().map(|lease| lease.device.as_str()).collect::<Vec<_>>())
            .bind(leases.iter().map(|lease| lease.token).collect::<Vec<_>>())
            .bind(LEASE.as_secs_f64())
            .fetch_all(connection)
            .await?;
        let mut renewals = vec![Renewal::Lost; leases.len()];
        for row in &rows {
            renewals[row.try_get::<i64, _>("place")? as usize - 1] =
                match (row.try_get("renewed")?, row.try_get("held")?) {
                    (true, _) => Renewal::Renewed,
                    (false, true) => Renewal::Skipped,
                    (false, false) => Renewal::Lost,
                };
        }
        Ok(renewals)
    }
}

//! Renew: prolong the leases of one drain.

use sqlx::Row;

use super::connection::{Queue, QueueError, within};
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
            let mut borrowed = self.borrow().await?;
            let rows = self
                .sql(statements::RENEW)
                .bind(leases.iter().map(|lease| lease.app.as_str()).collect::<Vec<_>>())
                .bind(leases.iter().map(|lease| lease.device.as_str()).collect::<Vec<_>>())
                .bind(leases.iter().map(|lease| lease.token).collect::<Vec<_>>())
                .bind(LEASE.as_secs_f64())
                .fetch_all(borrowed.connection())
                .await?;
            borrowed.give_back();
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
        })
        .await
    }
}

//! Looks into the queue now and then: what is paused, and whether anything is left.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What was seen.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Seen {
    /// When it was looked for.
    at: Option<Instant>,
    /// No notification is left.
    pub(super) empty: bool,
    /// By app.
    pub(super) pauses: HashMap<String, Pause>,
}

/// An app is paused.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pause {
    pub(super) reason: String,
    /// Until one probe is sent.
    pub(super) left: Duration,
}

/// Looks as long as it lives.
pub(super) struct Look {
    seen: watch::Receiver<Seen>,
    _looking: JoinSet<()>,
}

impl Look {
    /// Without a database there is nothing to see; it is for the callers to say so.
    pub(super) fn start(database: PgConnectOptions) -> Self {
        let (tell, seen) = watch::channel(Seen::default());
        let mut looking = JoinSet::new();
        looking.spawn(async move {
            let Ok(mut connection) = PgConnection::connect_with(&database).await else { return };
            let mut ticks = interval(LOOK_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                let Ok(seen) = look(&mut connection).await else { return };
                tell.send_replace(seen);
            }
        });
        Self { seen, _looking: looking }
    }

    /// What was seen last.
    pub(super) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    /// Whether a look that began after that moment found nothing left.
    pub(super) fn empty_after(&self, moment: Instant) -> bool {
        let seen = self.seen.borrow();
        seen.empty && seen.at.is_some_and(|at| at > moment)
    }
}

async fn look(connection: &mut PgConnection) -> sqlx::Result<Seen> {
    let at = Some(Instant::now());
    let pauses = sqlx::query_as(include_str!("paused.sql")).fetch_all(&mut *connection).await?;
    let empty = sqlx::query_scalar(include_str!("empty.sql")).fetch_one(connection).await?;
    let pause = |(app, reason, left): (String, String, f64)| {
        (app, Pause { reason, left: Duration::try_from_secs_f64(left).unwrap_or_default() })
    };
    Ok(Seen { at, empty, pauses: pauses.into_iter().map(pause).collect() })
}

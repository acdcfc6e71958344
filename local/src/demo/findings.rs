//! What there is to say after a run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sqlx::{Connection, PgConnection};

use super::during::During;
use super::lines::{Drained, Fault};
use super::outage::Outage;
use super::provider::{Arrival, Provider};
use super::run::Course;
use super::sends::{Sends, peak};
use super::told::Told;
use super::{Demo, DemoError, processor};
use crate::provider::Tally;
use crate::stack::{DEAD_WAKES, WAKES};

/// What the report is made of.
pub(super) struct Findings {
    pub(super) notifications: u64,
    pub(super) devices: u64,
    pub(super) queued: u64,
    pub(super) left: u64,
    pub(super) queued_per_second: f64,
    pub(super) in_flight_peak: u64,
    /// In the order of the plan.
    pub(super) each: Vec<Found>,
    pub(super) outages: Vec<Outage>,
    pub(super) during: Vec<During>,
    pub(super) drained: Drained,
    pub(super) drains_started: u64,
    pub(super) drains_peak: u64,
    /// By function.
    pub(super) processor: BTreeMap<String, Duration>,
    pub(super) wakes: u64,
    pub(super) wakes_dead: u64,
    pub(super) errors: Vec<Fault>,
}

/// What one provider saw.
pub(super) struct Found {
    pub(super) provider: Provider,
    /// Those that were for it.
    pub(super) notifications: u64,
    pub(super) tally: Tally,
    pub(super) sends: Sends,
    /// When its requests arrived.
    pub(super) starts: Vec<Instant>,
    pub(super) told: Told,
}

impl Demo {
    pub(super) async fn findings(&self, course: &Course<'_>) -> Result<Findings, DemoError> {
        let Course { plan, track, outages, start } = course;
        let (queued, _) = track.look(&self.stack);
        let handed = track.handed();
        let arrivals: Vec<Vec<Arrival>> =
            plan.providers.iter().map(|provider| provider.arrivals(&self.stack, plan, 0)).collect();
        let found = |(&provider, arrivals): (&Provider, &Vec<Arrival>)| {
            let closed = |outage: &Outage, at: Instant| outage.provider == provider && outage.loses_answer(*start, at);
            let sends = Sends::read(arrivals, &handed, |at| outages.iter().any(|outage| closed(outage, at)));
            let notifications = plan.share(provider) as u64;
            let (tally, told) = (provider.tally(&self.stack), self.lines.of_app(provider.app()));
            let starts = arrivals.iter().map(|arrival| arrival.start).collect();
            Found { provider, notifications, tally, sends, starts, told }
        };
        let each: Vec<Found> = plan.providers.iter().zip(&arrivals).map(found).collect();
        let activity = self.stack.activity();
        Ok(Findings {
            notifications: plan.notifications as u64,
            devices: plan.devices as u64,
            queued: queued as u64,
            left: self.left().await?,
            queued_per_second: track.queued_per_second(),
            in_flight_peak: peak(arrivals.iter().flatten()),
            during: outages.iter().map(|outage| During::new(outage, *start, &each)).collect(),
            each,
            outages: outages.to_vec(),
            drained: self.lines.drained(),
            drains_started: activity.invocations,
            drains_peak: activity.peak as u64,
            processor: processor::used([&self.stack.enqueue, &self.stack.drain, &self.stack.schedule]),
            wakes: self.stack.sqs.sent(WAKES).len() as u64,
            wakes_dead: self.stack.sqs.counts(DEAD_WAKES).total() as u64,
            errors: self.lines.faults(),
        })
    }

    async fn left(&self) -> Result<u64, DemoError> {
        let mut connection = PgConnection::connect_with(&self.stack.connect_options()).await?;
        let left: i64 = sqlx::query_scalar(include_str!("left.sql")).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(left.unsigned_abs())
    }
}

//! The run itself: queue, watch until everything is delivered, let the wakes run dry, and collect what there is to say.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pushwake::limits::{LEASE, SCHEDULE_EVERY};
use sqlx::{Connection, PgConnection};
use tokio::time::{interval, timeout};

use super::callers::queue_all;
use super::plan::Plan;
use super::report::Findings;
use super::track::Track;
use super::view::{Standing, View};
use super::{Demo, DemoError, Options, Report};
use crate::stack::{DEAD_WAKES, WAKES};

const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Without a delivery for that long nothing comes any more: leases have run out, and schedule has repaired what it can.
const STALLED: Duration = Duration::from_secs(LEASE.as_secs() + 2 * SCHEDULE_EVERY.as_secs());
/// How long the last drains may take to find nothing.
const DRY_WITHIN: Duration = Duration::from_secs(30);
/// How long their last lines may take.
const LINES_WITHIN: Duration = Duration::from_secs(5);

impl Demo {
    pub(super) async fn run(&self, options: &Options) -> Result<Report, DemoError> {
        let plan = Plan {
            notifications: options.notifications as usize,
            devices: options.devices as usize,
            seed: options.seed,
        };
        let track = Arc::new(Track::new(plan));
        self.deliver(plan, &track).await?;
        self.run_dry().await;
        self.findings(plan, &track).await.map(Report::new)
    }

    /// Ends when everything is delivered, or when nothing comes any more.
    async fn deliver(&self, plan: Plan, track: &Arc<Track>) -> Result<(), DemoError> {
        let total = plan.notifications as u64;
        let mut view = View::new(total);
        let mut queueing = pin!(queue_all(&self.stack.enqueue, plan, track));
        let mut ticks = interval(LOOK_EVERY);
        let (mut all_queued, mut delivered, mut moved) = (false, 0, Instant::now());
        loop {
            tokio::select! {
                queued = &mut queueing, if !all_queued => {
                    queued?;
                    all_queued = true;
                }
                _ = ticks.tick() => {}
            }
            let standing = self.standing(track);
            view.show(standing);
            self.lines.unseen().iter().for_each(|fault| view.say(fault));
            if standing.delivered > delivered {
                (delivered, moved) = (standing.delivered, Instant::now());
            }
            if (all_queued && delivered >= total) || moved.elapsed() > STALLED {
                return Ok(());
            }
        }
    }

    fn standing(&self, track: &Track) -> Standing {
        let (queued, oldest) = track.look(&self.stack.apns);
        let tally = self.stack.apns.tally();
        let queued = (queued as u64).saturating_sub(tally.in_flight + tally.delivered);
        Standing { queued, in_flight: tally.in_flight, delivered: tally.delivered, oldest }
    }

    /// Until no wake is left, and every drain has said how it went: what they cost belongs to the report too.
    async fn run_dry(&self) {
        let dry = self.stack.sqs.eventually(WAKES, |wakes| wakes.visible + wakes.in_flight == 0);
        if timeout(DRY_WITHIN, dry).await.is_err() {
            return;
        }
        let drain = self.stack.drain.counts();
        let _ = timeout(LINES_WITHIN, self.lines.until_ended(drain.answered + drain.failed)).await;
    }

    async fn findings(&self, plan: Plan, track: &Track) -> Result<Findings, DemoError> {
        let (queued, _) = track.look(&self.stack.apns);
        let requests = self.stack.apns.requests();
        let activity = self.stack.activity();
        Ok(Findings {
            notifications: plan.notifications as u64,
            devices: plan.devices as u64,
            queued: queued as u64,
            left: self.left().await?,
            queued_per_second: track.queued_per_second(),
            latencies: track.latencies(&requests),
            requests,
            tally: self.stack.apns.tally(),
            drained: self.lines.drained(),
            drains_started: activity.invocations,
            drains_peak: activity.peak as u64,
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

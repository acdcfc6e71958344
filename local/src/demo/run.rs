//! The run itself: queue, watch until everything is delivered, and let the wakes run dry.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pushwake::limits::{LEASE, PAUSE_LONGEST, SCHEDULE_EVERY};
use tokio::time::{interval, timeout};

use super::callers::queue_all;
use super::devices::Devices;
use super::look::Look;
use super::outage::{Outage, play};
use super::plan::Plan;
use super::standing::Standing;
use super::track::Track;
use super::view::View;
use super::{Demo, DemoError, Options, Report};
use crate::stack::WAKES;

const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Without a delivery for that long nothing comes any more: leases have run out, and schedule has repaired what it can.
const STALLED: Duration = Duration::from_secs(LEASE.as_secs() + 2 * SCHEDULE_EVERY.as_secs());
/// How long the last drains may take to find nothing.
const DRY_WITHIN: Duration = Duration::from_secs(30);
/// How long their last lines may take.
const LINES_WITHIN: Duration = Duration::from_secs(5);

/// What a run is made of.
pub(super) struct Course<'a> {
    pub(super) plan: Arc<Plan>,
    pub(super) track: Arc<Track>,
    pub(super) outages: &'a [Outage],
    /// The outages are timed from here.
    pub(super) start: Instant,
}

impl Demo {
    pub(super) async fn run(&self, options: &Options) -> Result<Report, DemoError> {
        let plan = Arc::new(Plan {
            notifications: options.notifications as usize,
            devices: options.devices as usize,
            seed: options.seed,
            providers: options.providers(),
        });
        let devices = Arc::new(Devices::register(&plan, &self.stack));
        let track = Arc::new(Track::new(plan.clone()));
        let course = Course { plan, track, outages: &options.fail, start: Instant::now() };
        self.deliver(&course, &devices).await?;
        self.run_dry().await;
        self.findings(&course).await.map(Report::new)
    }

    /// Ends when everything is delivered or discarded, or when nothing comes any more.
    async fn deliver(&self, course: &Course<'_>, devices: &Arc<Devices>) -> Result<(), DemoError> {
        let Course { plan, track, outages, start } = course;
        let total = plan.notifications as u64;
        let mut view = View::new(plan);
        let look = Look::start(self.stack.connect_options());
        let mut queueing = pin!(queue_all(&self.stack.enqueue, plan, devices, track));
        let mut playing = pin!(play(&self.stack, outages, *start));
        let mut ticks = interval(LOOK_EVERY);
        let patience = Patience::new(outages);
        let (mut all_queued, mut all_played, mut delivered, mut moved) = (false, false, 0, *start);
        loop {
            tokio::select! {
                queued = &mut queueing, if !all_queued => {
                    queued?;
                    (all_queued, moved) = (true, Instant::now());
                }
                () = &mut playing, if !all_played => all_played = true,
                _ = ticks.tick() => {}
            }
            let standing = Standing::look(&self.stack, plan, track, outages, &look.seen(), start.elapsed());
            view.show(&standing);
            self.lines.unseen().iter().for_each(|fault| view.say(fault));
            if standing.delivered > delivered {
                (delivered, moved) = (standing.delivered, Instant::now());
            }
            if (all_queued && (delivered >= total || look.empty_after(moved)))
                || patience.is_over(start.elapsed(), moved.elapsed())
            {
                return Ok(());
            }
        }
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
}

/// How long a demo waits without a delivery.
struct Patience {
    /// When the last outage ends.
    outages: Duration,
    stalled: Duration,
}

impl Patience {
    fn new(outages: &[Outage]) -> Self {
        let outages = outages.iter().map(|outage| outage.to).max().unwrap_or_default();
        // Pauses double, so the last one is about as long as all that went before.
        Self { outages, stalled: STALLED + outages.min(PAUSE_LONGEST) }
    }

    fn is_over(&self, elapsed: Duration, since_delivery: Duration) -> bool {
        since_delivery.min(elapsed.saturating_sub(self.outages)) > self.stalled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_that_outlives_its_outage_is_waited_for_and_not_for_ever() {
        let patience = Patience::new(&["apns=503@2s..60s".parse().expect("an outage")]);
        let seconds = Duration::from_secs;
        assert_eq!(patience.stalled, STALLED + seconds(60));
        assert!(!patience.is_over(seconds(270), seconds(240)), "the outage ended 210 s ago");
        assert!(!patience.is_over(seconds(900), seconds(210)));
        assert!(patience.is_over(seconds(271), seconds(211)));
        assert!(Patience::new(&[]).is_over(seconds(151), seconds(151)));
    }
}

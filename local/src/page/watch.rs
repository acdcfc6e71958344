//! What the page remembers: samples of the queue, and the functions' log.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pushwake::queue::Queue;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::log::Log;
use super::sample::{self, OfApp, Sample};
use crate::runtime_api::Function;
use crate::sqs::{Counts, Endpoint, Peeked};
use crate::stack::{ANDROID, APP, DEAD_WAKES, FEEDBACK, Stack, WAKES, WEB};

/// Between two samples.
const EVERY: Duration = Duration::from_secs(1);
/// Samples kept: as many as a chart shows.
pub(super) const KEPT: usize = 300;
/// A sample that Postgres takes longer for is given up.
const WITHIN: Duration = Duration::from_secs(5);
/// Dead letters that are shown.
const PEEK: usize = 10;

/// Watches a stack; clones watch the same one.
#[derive(Clone)]
pub struct Watch(Arc<Shared>);

struct Shared {
    pool: PgPool,
    drain: Function,
    enqueue: Function,
    sqs: Endpoint,
    /// Drains that may run.
    drains: usize,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    samples: VecDeque<Sample>,
    log: Log,
    /// Why the last sample failed.
    fault: Option<String>,
}

/// Everything that the overview shows.
pub(super) struct Now<'a> {
    pub(super) samples: &'a VecDeque<Sample>,
    pub(super) log: &'a Log,
    pub(super) fault: Option<&'a str>,
    /// Every app that is configured by default, or was ever seen.
    pub(super) apps: Vec<String>,
    pub(super) most_drains: usize,
    pub(super) drains: usize,
    pub(super) wakes: Counts,
    pub(super) dead: Counts,
    pub(super) feedback: Counts,
    pub(super) dead_wakes: Vec<Peeked>,
}

impl Watch {
    /// Starts to watch `stack`, on the current runtime, until `closing`.
    pub fn start(stack: &Stack, closing: CancellationToken) -> Self {
        let options = stack.connect_options().application_name("pushwake page");
        let shared = Arc::new(Shared {
            pool: PgPoolOptions::new().max_connections(1).acquire_timeout(WITHIN).connect_lazy_with(options),
            drain: stack.drain.clone(),
            enqueue: stack.enqueue.clone(),
            sqs: stack.sqs.clone(),
            drains: stack.drains(),
            seen: Mutex::default(),
        });
        let watching = shared.clone();
        tokio::spawn(async move { closing.run_until_cancelled(watching.follow()).await });
        Self(shared)
    }

    /// Shows how everything stands, to `show`.
    pub(super) fn now<T>(&self, show: impl FnOnce(&Now<'_>) -> T) -> T {
        let Shared { sqs, drain, drains, .. } = &*self.0;
        let seen = self.0.followed();
        let known = [APP, ANDROID, WEB].into_iter();
        let sampled = seen.samples.iter().flat_map(|sample| sample.apps.iter().map(|OfApp { app, .. }| app.as_str()));
        let apps: BTreeSet<String> = known.chain(sampled).map(str::to_owned).collect();
        show(&Now {
            samples: &seen.samples,
            log: &seen.log,
            fault: seen.fault.as_deref(),
            apps: apps.into_iter().collect(),
            most_drains: *drains,
            drains: drain.busy_pids().len(),
            wakes: sqs.counts(WAKES),
            dead: sqs.counts(DEAD_WAKES),
            feedback: sqs.counts(FEEDBACK),
            dead_wakes: sqs.peek(DEAD_WAKES, PEEK),
        })
    }

    /// Shows the log, to `show`.
    pub(super) fn log<T>(&self, show: impl FnOnce(&Log) -> T) -> T {
        show(&self.0.followed().log)
    }

    pub(super) fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    pub(super) fn queue(&self) -> Queue {
        Queue::new(self.0.pool.clone(), true)
    }
}

impl Shared {
    /// Takes samples, for ever.
    async fn follow(&self) {
        loop {
            let started = Instant::now();
            let apps = sample::apps(&self.pool, WITHIN).await;
            self.take(apps);
            // Whatever the queue has grown to: a tenth of the time at most.
            sleep(EVERY.max(10 * started.elapsed()).saturating_sub(started.elapsed())).await;
        }
    }

    fn take(&self, apps: Result<Vec<OfApp>, String>) {
        let mut seen = self.followed();
        match apps {
            Ok(apps) => {
                let (delivered, undelivered) = (seen.log.delivered, seen.log.undelivered);
                if seen.samples.len() == KEPT {
                    seen.samples.pop_front();
                }
                seen.samples.push_back(Sample { at: Instant::now(), apps, delivered, undelivered });
                seen.fault = None;
            }
            Err(fault) => seen.fault = Some(fault),
        }
    }

    fn followed(&self) -> MutexGuard<'_, Seen> {
        let mut seen = self.seen();
        seen.log.follow(&self.drain, &self.enqueue);
        seen
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

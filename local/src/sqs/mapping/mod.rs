//! Lambda's event source mapping: takes messages of a queue and invokes a function with each.
//!
//! `BatchSize` is 1. A message whose invocation succeeds is deleted; any other stays hidden for the visibility of its
//! queue and comes back, until the redrive policy gives it up. A throttled invocation is tried again while its
//! message is hidden.

mod answer;
mod event;
mod invoke;
mod lineage;
mod ramp;

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

pub use self::answer::Answer;
use self::{invoke::Invoker, ramp::Ramp};
use super::{Endpoint, service::Service};
use crate::patience::soon;

/// How a mapping behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappingSettings {
    /// `MaximumConcurrency`, at least 2.
    pub maximum_concurrency: usize,
    /// `ReportBatchItemFailures`: the function's payload says whether its message is done.
    pub report_batch_item_failures: bool,
    /// Loop detection: the invocations of one lineage, past which its messages are given up. Off by default, as for
    /// a function with `RecursiveLoop: Allow`. Works for functions that get [`Event::trace`] and send it along.
    pub refuse_after_hops: Option<u32>,
}

impl MappingSettings {
    /// The settings of a function that reports nothing, and may invoke itself.
    pub fn of(maximum_concurrency: usize) -> Self {
        Self { maximum_concurrency, report_batch_item_failures: false, refuse_after_hops: None }
    }
}

/// What a function is invoked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The payload: an SQS event with one record.
    pub payload: Bytes,
    /// The X-Ray header, for `Lambda-Runtime-Trace-Id`: the function's SDK sends it along with what it sends.
    pub trace: String,
}

/// What a mapping has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// Invocations that run now, with those that wait to be tried again.
    pub running: usize,
    /// The most that ever ran at once.
    pub peak: usize,
    /// Messages handed to the function.
    pub invocations: u64,
    /// Messages deleted after their invocation.
    pub completed: u64,
    /// Messages left for their visibility.
    pub failed: u64,
    /// Attempts that were throttled.
    pub throttled: u64,
    /// Messages given up by loop detection.
    pub loops: u64,
}

pub(super) type Function = Arc<dyn Fn(Event) -> BoxFuture<'static, Answer> + Send + Sync>;

/// A running mapping. It ends with its endpoint, or when it is dropped; running invocations are left to end then.
pub struct Mapping {
    activity: watch::Receiver<Activity>,
    stop: CancellationToken,
    running: Option<JoinHandle<()>>,
}

impl Mapping {
    /// Starts to invoke `function` with the messages of `queue`.
    ///
    /// # Panics
    /// On a concurrency that Lambda refuses (less than 2, more than 1,000).
    pub fn start<F, Invocation>(endpoint: &Endpoint, queue: &str, settings: MappingSettings, function: F) -> Self
    where
        F: Fn(Event) -> Invocation + Send + Sync + 'static,
        Invocation: Future<Output = Answer> + Send + 'static,
    {
        assert!((2..=1_000).contains(&settings.maximum_concurrency), "MaximumConcurrency is 2 to 1,000");
        let stop = endpoint.service.closing.child_token();
        let (tell, activity) = watch::channel(Activity::default());
        let invoker = Arc::new(Invoker {
            service: Arc::clone(&endpoint.service),
            queue: queue.to_owned(),
            settings,
            function: Arc::new(move |event| Box::pin(function(event))),
            activity: tell,
        });
        let running = tokio::spawn(run(invoker, stop.clone()));
        Self { activity, stop, running: Some(running) }
    }

    /// What it has done up to now.
    pub fn activity(&self) -> Activity {
        *self.activity.borrow()
    }

    /// Follows what it does, also for those who can't keep the mapping borrowed.
    pub fn follow(&self) -> watch::Receiver<Activity> {
        self.activity.clone()
    }

    /// Waits until what it has done satisfies `condition`; panics with it when it has not within two
    /// minutes.
    pub async fn until(&self, condition: impl Fn(Activity) -> bool) -> Activity {
        let mut activity = self.follow();
        // Fails when the mapping has ended, where nothing changes any more.
        let _ = soon(activity.wait_for(|&activity| condition(activity)), || format!("{:?}", self.activity())).await;
        self.activity()
    }

    /// Takes no more messages, and returns when the running invocations have ended.
    pub async fn stop(mut self) -> Activity {
        self.stop.cancel();
        if let Some(running) = self.running.take() {
            let _ = running.await;
        }
        self.activity()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn run(invoker: Arc<Invoker>, stop: CancellationToken) {
    let Invoker { service, queue, settings, .. } = &*invoker;
    // By real time, which the endpoint's clock may be ahead of.
    let mut ramp = Ramp::new(settings.maximum_concurrency, Instant::now());
    let mut running = JoinSet::new();
    loop {
        let look = ramp.next_look(running.len());
        tokio::select! {
            // Ended invocations first: they make room.
            biased;
            () = stop.cancelled() => break,
            Some(_) = running.join_next() => {},
            received = service.receive(queue, 1, None, Some(Service::LONGEST_WAIT)), if running.len() < ramp.allowed() => {
                // A queue that was deleted has no messages any more.
                let Ok(delivered) = received else { break };
                for delivered in delivered {
                    ramp.message(Instant::now());
                    running.spawn(Arc::clone(&invoker).handle(delivered));
                }
            },
            () = sleep_until(look.unwrap_or_else(Instant::now)), if look.is_some() => {
                ramp.look(service.has_visible(queue), Instant::now());
            },
        }
    }
    while running.join_next().await.is_some() {}
}

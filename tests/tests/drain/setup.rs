//! A drain over a database of its own, a wake queue, and a provider that a test scripts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use drain::drain::{Drain, DrainError, GIVE_UP, Invocation, Summary};
use drain::outcome::{Outcome, Sent};
use drain::provider::{Providers, Script};
use local::sqs::{Endpoint, Settings};
use pushwake::function::metric::{Metric, Metrics};
use pushwake::limits::{FUNCTION_TIMEOUT, WINDOW};
use pushwake::queue::{Lease, Notification, Queue};
use pushwake::wake::{Wake, WakeQueue, Why};
use tests::database::Database;
use tests::drive::{APP, batch};
use tests::sdk::sdk;

/// Name of the wake queue.
pub const WAKES: &str = "wakes";

/// What the provider was asked for: device and event, in the order of the calls.
pub type Calls = Arc<Mutex<Vec<(String, String)>>>;

/// One test's surroundings.
pub struct Setup {
    pub database: Database,
    pub endpoint: Endpoint,
    pub queue: Queue,
    pub calls: Calls,
}

impl Setup {
    pub async fn new() -> Self {
        let database = Database::new().await;
        let endpoint = Endpoint::start().await.expect("a free port");
        endpoint.create_queue(WAKES, Settings::default()).expect("a new queue");
        let queue = database.queue(2);
        Self { database, endpoint, queue, calls: Calls::default() }
    }

    /// A drain whose provider answers by `script`, of [`APP`] alone.
    pub fn drain<Answering>(&self, script: impl Fn(Lease, Notification) -> Answering + Send + Sync + 'static) -> Drain
    where
        Answering: Future<Output = Outcome> + Send + 'static,
    {
        self.drain_of(&[APP], script)
    }

    /// A drain of these apps.
    pub fn drain_of<Answering>(
        &self,
        apps: &[&str],
        script: impl Fn(Lease, Notification) -> Answering + Send + Sync + 'static,
    ) -> Drain
    where
        Answering: Future<Output = Outcome> + Send + 'static,
    {
        let calls = self.calls.clone();
        let script = Script::new(move |lease: Lease, notification: Notification| {
            let call = (lease.device.as_str().to_owned(), notification.event.as_str().to_owned());
            calls.lock().expect("no panic holds it").push(call);
            let answer = script(lease, notification);
            async move { Sent { outcome: answer.await, request_id: None, took: Duration::ZERO } }
        });
        let mut providers = Providers::new(None).expect("the system's certificates");
        for app in apps {
            providers.add_script((*app).into(), script.clone());
        }
        Drain {
            queue: self.database.named_queue("claims"),
            renewals: self.database.named_queue("renewals"),
            wakes: WakeQueue::with_config(&sdk(self.endpoint.url()), self.endpoint.queue_url(WAKES)),
            providers,
            window: WINDOW,
            give_up: GIVE_UP,
            breakers: HashMap::new(),
            metrics: Metrics::new(None),
            delivered_sample: 100,
        }
    }

    /// Queues one event for every device.
    pub async fn enqueue(&self, event: &str, devices: &[&str]) {
        self.queue.enqueue(&batch(event, devices)).await.expect("an enqueue");
    }

    /// The calls so far.
    pub fn calls(&self) -> Vec<(String, String)> {
        self.calls.lock().expect("no panic holds it").clone()
    }

    /// The events that were sent to one device, in order.
    pub fn events_of(&self, device: &str) -> Vec<String> {
        self.calls().into_iter().filter(|(called, _)| called == device).map(|(_, event)| event).collect()
    }

    /// The wakes that were posted: why, hop and delay in seconds.
    pub fn wakes(&self) -> Vec<(Why, u32, u64)> {
        let sent = self.endpoint.sent(WAKES).into_iter();
        sent.map(|sent| {
            let wake = Wake::read(&sent.body).expect("a wake of ours");
            (wake.why, wake.hop, sent.delay.as_secs())
        })
        .collect()
    }

    /// Rows left in the queue.
    pub async fn left(&self) -> i64 {
        self.database.count("select count(*) from notifications").await
    }
}

/// An invocation by a plain wake, with all the time there is.
pub fn invocation() -> Invocation {
    Invocation {
        wake: Wake::first(Why::Enqueue),
        request_id: "r".to_owned(),
        remaining: FUNCTION_TIMEOUT,
        malformed: 0,
        receivable: None,
    }
}

/// Runs a drain by a plain wake.
pub async fn run(drain: &mut Drain) -> Summary {
    try_run(drain).await.expect("a drain that succeeds")
}

/// As [`run`], with its error.
pub async fn try_run(drain: &mut Drain) -> Result<Summary, DrainError> {
    drain.run(invocation()).await
}

/// A script that accepts everything.
pub async fn deliver(_: Lease, _: Notification) -> Outcome {
    Outcome::Delivered
}

/// What a drain counted.
pub fn counted<const N: usize>(summary: &Summary, metrics: [Metric; N]) -> [u64; N] {
    metrics.map(|metric| summary.counts.of(metric))
}

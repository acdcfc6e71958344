//! The whole product of one test: the real functions over a database and a wake queue of its own, and a simulated
//! APNs that they send to.

use std::time::Duration;

use futures::future::join_all;
use local::apns::{Server, Tally};
use local::runtime_api::{Function, Invocation};
use local::sqs::Fault;
use local::stack::{self, APP, Stack, WAKES};
use pushwake::contract::{Response, Status};
use pushwake::wake::{Wake, Why};
use serde_json::{Value, json};

use crate::barrier::until;
use crate::database::{Database, TEMPLATE, cluster};
use crate::pooler::pooler;

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_mins(1);

/// See the module.
pub struct Product {
    /// The functions, SQS, and the provider they send to.
    pub stack: Stack,
    /// What they queue in.
    pub database: Database,
}

/// A copy of the migrated template in the binary's cluster, and no schedule but the test's own.
pub async fn options() -> stack::Options {
    stack::Options {
        cluster: Some(cluster().await.clone()),
        template: Some(TEMPLATE.to_owned()),
        pooler: pooler().cloned(),
        schedule_every: None,
        ..stack::Options::default()
    }
}

impl Product {
    /// Starts one whose APNs answers 200 at once.
    pub async fn start() -> Self {
        Self::with(options().await).await
    }

    /// Starts one that takes no wakes before [`Stack::start_drains`]: the test invokes drain itself.
    pub async fn without_drains() -> Self {
        let product = Self::start().await;
        product.stack.stop_drains().await;
        product
    }

    /// Starts one.
    pub async fn with(options: stack::Options) -> Self {
        let stack = Stack::start(options).await.expect("a stack starts");
        let database = Database::at(stack.connect_options());
        Self { stack, database }
    }

    /// The provider.
    pub fn apns(&self) -> &Server {
        &self.stack.apns
    }

    /// Waits until what was sent fulfils a condition; panics with what the functions complained about otherwise.
    pub async fn until(&self, condition: impl Fn(&Tally) -> bool) -> Tally {
        let waited = tokio::time::timeout(LONG, self.apns().wait_until(condition)).await;
        waited.unwrap_or_else(|_| panic!("after {LONG:?}: {:?}, {:#?}", self.apns().tally(), self.complaints()))
    }

    /// Calls enqueue.
    pub async fn enqueue(&self, request: &Value) -> Response {
        let answer = self.stack.enqueue(request).await.expect("an answer of enqueue");
        serde_json::from_value(answer).expect("a response")
    }

    /// Queues E(n) for devices.
    pub async fn queue(&self, n: u64, devices: impl IntoIterator<Item = usize>) -> Response {
        let response = self.enqueue(&event(n, devices)).await;
        assert!(response.results.iter().all(|result| result.status == Status::Queued), "{response:?}");
        response
    }

    /// As [`Product::queue`], with a wake that SQS says it has, and loses.
    pub async fn queue_in_silence(&self, n: u64, devices: impl IntoIterator<Item = usize>) {
        self.stack.sqs.set_fault(Some(Fault::Discard));
        self.queue(n, devices).await;
        self.stack.sqs.set_fault(None);
    }

    /// Invokes drain with a plain wake, past SQS.
    pub async fn drain(&self) {
        let drained = self.stack.drain.invoke(wake_event(&[&Wake::first(Why::Enqueue).body()])).await;
        assert!(drained.is_ok(), "{drained:?}");
    }

    /// Starts `n` drains at once, which find nothing: as many instances are warm afterwards.
    pub async fn warm(&self, n: usize) {
        join_all((0..n).map(|_| self.drain())).await;
        assert!(self.stack.drain.pids().len() >= n);
    }

    /// Runs schedule, as the minute would, and answers what it did.
    pub async fn schedule(&self) -> Value {
        self.stack.run_schedule().await.json().expect("schedule answers")
    }

    /// Waits until no wake is left, and no drain is running.
    pub async fn until_quiet(&self) {
        until(|| async { self.stack.sqs.counts(WAKES).total() == 0 && self.stack.activity().running == 0 }).await;
    }

    /// The summary lines of all drains that have ended by themselves.
    pub async fn summaries(&self) -> Vec<Value> {
        let of_drains = || lines(&self.stack.drain, "drain");
        let ended = || {
            let counts = self.stack.drain.counts();
            counts.answered + counts.failed
        };
        // A line may arrive after the answer of its invocation.
        until(|| async { of_drains().len() as u64 >= ended() }).await;
        of_drains()
    }

    /// The sum of one counter over all drains.
    pub async fn total(&self, counter: &str) -> u64 {
        let summaries = self.summaries().await;
        summaries.iter().map(|line| line[counter].as_u64().expect(counter)).sum()
    }

    /// Rows that wait in the queue.
    pub async fn left(&self) -> i64 {
        self.database.count("select count(*) from notifications").await
    }

    /// The ERROR lines of all functions.
    pub fn errors(&self) -> Vec<String> {
        self.complaints().into_iter().filter(|text| text.contains(r#""level":"ERROR""#)).collect()
    }

    /// What the functions wrote above INFO.
    fn complaints(&self) -> Vec<String> {
        let Stack { enqueue, drain, schedule, migrate, .. } = &self.stack;
        let lines = [enqueue, drain, schedule, migrate].into_iter().flat_map(|function| function.output().lines());
        lines.map(|line| line.text).filter(|text| !text.contains(r#""level":"INFO""#)).collect()
    }

    /// Stops everything.
    pub async fn stop(self) {
        self.database.pool.close().await;
        self.stack.stop().await.expect("the stack stops");
    }
}

/// E(n) for devices, each with a token of its own; the provider finds `n` in the body.
pub fn event(n: u64, devices: impl IntoIterator<Item = usize>) -> Value {
    let device = |d| json!({"id": format!("d{d}"), "app": APP, "token": token(d)});
    json!({"source": "tests", "event": format!("e{n}"), "notification": {"title": "title", "data": {"n": n}},
        "devices": devices.into_iter().map(device).collect::<Vec<_>>()})
}

/// The token of the d-th device.
pub fn token(d: usize) -> String {
    format!("{d:064x}")
}

/// An SQS event with these bodies.
pub fn wake_event(bodies: &[&str]) -> String {
    let record = |body: &&str| json!({"messageId": "m", "eventSource": "aws:sqs", "body": body});
    json!({"Records": bodies.iter().map(record).collect::<Vec<_>>()}).to_string()
}

/// The log lines of a function with this message, in the order they arrived.
pub fn lines(function: &Function, message: &str) -> Vec<Value> {
    let all = function.output().lines().into_iter().filter(|line| line.text.contains(message));
    let read = all.filter_map(|line| serde_json::from_str::<Value>(&line.text).ok());
    read.filter(|line| line["message"] == message).collect()
}

/// Waits for a log line of a function that contains `text`.
pub async fn until_line(function: &Function, text: &str) {
    let line = function.output().wait_for(LONG, |line| line.text.contains(text)).await;
    assert!(line.is_some(), "no line with {text} within a minute");
}

/// Whether an invocation acknowledged all of its messages.
pub fn acknowledged(invocation: &Invocation) -> bool {
    matches!(invocation, Invocation::Ok(answer) if &answer[..] == br#"{"batchItemFailures":[]}"#)
}

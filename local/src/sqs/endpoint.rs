//! The endpoint: its queues, its faults, and what tests ask it.

use std::{collections::BTreeMap, io, net::SocketAddr, sync::Arc, time::Duration};

use tokio::time::Instant;
use tokio_util::sync::DropGuard;
use uuid::Uuid;

use super::{
    Counts, Fault, Peeked, Refusal, Sent, Settings,
    actions::create_queue,
    duplicates::Duplicates,
    message::Content,
    protocol,
    server::Server,
    service::{Service, queue_url},
};
use crate::patience::soon;

/// SQS on a free port of loopback. Clones are the same endpoint; it stops with the last of them.
#[derive(Clone)]
pub struct Endpoint {
    pub(super) service: Arc<Service>,
    server: Arc<Server>,
    _stops: Arc<DropGuard>,
}

impl Endpoint {
    /// Starts an endpoint without queues.
    pub async fn start() -> io::Result<Self> {
        let (server, serving) = Server::bind()?;
        let service = Arc::new(Service::new(format!("http://{}", server.address)));
        let router = protocol::router(Arc::clone(&service), service.url.as_str());
        tokio::spawn(serving.serve(router, service.closing.clone()));
        server.set_open(true).await;
        let stops = Arc::new(service.closing.clone().drop_guard());
        Ok(Self { service, server: Arc::new(server), _stops: stops })
    }

    /// What to give clients as `AWS_ENDPOINT_URL_SQS`.
    pub fn url(&self) -> &str {
        &self.service.url
    }

    /// The endpoint's protocol behind another door, reached at `url`: the URLs of queues that it hands out lead there.
    pub fn router_at(&self, url: &str) -> axum::Router {
        protocol::router(Arc::clone(&self.service), url)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Creates a queue, or finds it with the same settings, and answers its URL.
    pub fn create_queue(&self, name: &str, settings: Settings) -> Result<String, Refusal> {
        create_queue(&self.service, name, settings)?;
        Ok(self.queue_url(name))
    }

    /// URL of a queue, whether it exists or not.
    pub fn queue_url(&self, name: &str) -> String {
        queue_url(&self.service.url, name)
    }

    /// What stands in a queue now; nothing in one that doesn't exist.
    pub fn counts(&self, queue: &str) -> Counts {
        let now = self.service.clock.now();
        self.service.state().queues.get(queue).map(|queue| queue.counts(now)).unwrap_or_default()
    }

    /// The oldest messages of a queue, up to `most`, which stay as they are.
    pub fn peek(&self, queue: &str, most: usize) -> Vec<Peeked> {
        let now = self.service.clock.now();
        self.service.state().queues.get(queue).map(|queue| queue.peek(most, now)).unwrap_or_default()
    }

    /// Waits until the counts of a queue satisfy `condition`; panics with them when they have not within two minutes.
    pub async fn until(&self, queue: &str, condition: impl Fn(Counts) -> bool) -> Counts {
        soon(self.eventually(queue, condition), || format!("{queue}: {:?}", self.counts(queue))).await
    }

    /// As [`Endpoint::until`], without a time-out of its own.
    pub async fn eventually(&self, queue: &str, condition: impl Fn(Counts) -> bool) -> Counts {
        let mut changes = self.service.subscribe();
        loop {
            changes.mark_unchanged();
            let counts = self.counts(queue);
            if condition(counts) {
                return counts;
            }
            // Time alone changes counts too (a delay, a visibility): look again at the next such instant.
            let now = self.service.clock.now();
            let next = self.service.state().queues.get(queue).and_then(|queue| queue.next_change(now));
            tokio::select! {
                _ = changes.changed() => {},
                () = self.service.clock.sleep_until(next.unwrap_or(now + Duration::from_secs(1))) => {},
            }
        }
    }

    /// Sends a message as a client would: it is recorded, and faults apply. Answers its id.
    pub async fn send(&self, queue: &str, body: &str, delay: Option<Duration>) -> Result<String, Refusal> {
        self.send_content(queue, body, delay, None).await
    }

    /// Sends a message as a function does that was invoked with this X-Ray header.
    pub async fn send_traced(&self, queue: &str, body: &str, trace: &str) -> Result<String, Refusal> {
        self.send_content(queue, body, None, Some(trace)).await
    }

    async fn send_content(
        &self,
        queue: &str,
        body: &str,
        delay: Option<Duration>,
        trace: Option<&str>,
    ) -> Result<String, Refusal> {
        let id = Uuid::new_v4().to_string();
        let trace = trace.map(str::to_owned);
        let content = Content { id: id.clone(), body: body.to_owned(), attributes: BTreeMap::new(), trace };
        self.service.send(queue, content, delay).await?;
        Ok(id)
    }

    /// All that was sent to a queue, in the order of sending, whatever became of it.
    pub fn sent(&self, queue: &str) -> Vec<Sent> {
        self.service.state().sent.iter().filter(|sent| sent.queue == queue).cloned().collect()
    }

    /// Waits until at least `n` messages were sent to a queue, and answers them; panics when they were not within two
    /// minutes.
    pub async fn until_sent(&self, queue: &str, n: usize) -> Vec<Sent> {
        soon(self.eventually_sent(queue, n), || format!("{queue}: {} of {n} sent", self.sent(queue).len())).await
    }

    async fn eventually_sent(&self, queue: &str, n: usize) -> Vec<Sent> {
        let mut changes = self.service.subscribe();
        loop {
            changes.mark_unchanged();
            // Counted first: a burst would copy the whole record once per message.
            let sent = self.service.state().sent.iter().filter(|sent| sent.queue == queue).count();
            if sent >= n || changes.changed().await.is_err() {
                return self.sent(queue);
            }
        }
    }

    /// Makes what was received and not deleted visible again at once: consumers that died are given up now.
    pub fn expire_visibility(&self, queue: &str) {
        let now = self.service.clock.now();
        if let Some(queue) = self.service.state().queues.get_mut(queue) {
            queue.expire_visibility(now);
        }
        self.service.tell_change();
    }

    /// Moves the clock of all queues forward: delays, visibilities and retentions run out earlier by that much.
    pub fn advance(&self, by: Duration) {
        self.service.clock.advance(by);
        self.service.tell_change();
    }

    /// The endpoint's clock, which [`Endpoint::advance`] moves.
    pub fn now(&self) -> Instant {
        self.service.clock.now()
    }

    /// Switches a fault of sending on, or off again.
    pub fn set_fault(&self, fault: Option<Fault>) {
        self.service.state().fault = fault;
    }

    /// Refuses connections from now on, and closes idle ones.
    pub async fn refuse_connections(&self) {
        self.server.set_open(false).await;
    }

    /// Accepts connections again, on the same port.
    pub async fn accept_connections(&self) {
        self.server.set_open(true).await;
    }

    /// Delivers a share (0 to 1) of all messages twice, the second time at once and whatever becomes of the first.
    pub fn duplicate(&self, share: f64, seed: u64) {
        self.service.state().duplicates = Duplicates::of(share, seed);
    }

    /// Runs `act` for every message that is sent, before it is stored and its sender gets an answer.
    pub fn on_send<F, Act>(&self, act: Act)
    where
        Act: Fn(Sent) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        self.service.state().on_send = Some(Arc::new(move |sent| Box::pin(act(sent))));
    }
}

//! One instance: a process, its own Runtime API, and the invocations it carries out one after another.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc};
use tokio::time::{Instant, sleep_until, timeout};

use super::desk::{Desk, Event, Order};
use super::endpoints::router;
use super::process::{Owned, Process};
use super::{Invocation, Output, Settings};
use crate::reaper::Signal;

/// What Lambda leaves an instance for its start. One that is late is started again with the function's own time-out,
/// which is added here.
const INIT: Duration = Duration::from_secs(10);

/// One instance. Dropping it kills its process.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) process: Process,
    events: mpsc::UnboundedReceiver<Event>,
    orders: mpsc::UnboundedSender<Order>,
    _server: Owned<()>,
}

impl Instance {
    /// Starts the process and its Runtime API.
    pub(super) async fn spawn(settings: &Settings, output: Arc<Output>) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let runtime_api = listener.local_addr()?.to_string();
        let (tell, events) = mpsc::unbounded_channel();
        let (orders, taken) = mpsc::unbounded_channel();
        let desk = Desk { function: settings.name.clone(), events: tell, orders: Mutex::new(taken) };
        let routes = router(Arc::new(desk));
        let server = tokio::spawn(async move {
            let _ = axum::serve(listener, routes).await;
        });
        let process = Process::spawn(settings, &runtime_api, output)?;
        Ok(Self { process, events, orders, _server: Owned(server) })
    }

    /// Waits until the instance asks for its first invocation; one that doesn't is killed, and the error says why.
    pub(super) async fn ready(&mut self, settings: &Settings) -> Result<(), String> {
        let within = INIT + settings.timeout;
        let Ok(ready) = timeout(within, self.asked()).await else {
            self.process.kill().await;
            return Err(format!("it did not ask for an invocation within {within:?}"));
        };
        if ready.is_err() {
            self.process.end().await;
        }
        ready
    }

    async fn asked(&mut self) -> Result<(), String> {
        loop {
            tokio::select! {
                // What it said comes before how it ended.
                biased;
                Some(event) = self.events.recv() => match event {
                    Event::Asked => return Ok(()),
                    Event::InitFailed { message } => return Err(message),
                    _ => {}
                },
                status = self.process.exit.wait() => return Err(status),
            }
        }
    }

    /// Carries out one invocation. The instance is usable afterwards unless its process has ended.
    pub(super) async fn invoke(
        &mut self,
        settings: &Settings,
        request_id: String,
        payload: Bytes,
        trace: String,
    ) -> Invocation {
        self.process.signal(Signal::Thaw);
        let deadline = Instant::now() + settings.timeout;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let deadline_ms = (now + settings.timeout).as_millis();
        // The receiver lives with the server, which lives as long as `self`.
        let _ = self.orders.send(Order { request_id: request_id.clone(), deadline_ms, payload, trace });
        let invocation = self.carried_out(&request_id, deadline).await;
        if settings.freeze {
            self.process.signal(Signal::Freeze);
        }
        invocation
    }

    /// The invocation is over when the instance has answered and asks for the next one: what it does in between is
    /// still part of it, as on Lambda.
    async fn carried_out(&mut self, request_id: &str, deadline: Instant) -> Invocation {
        let (mut taken, mut reply) = (false, None);
        loop {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => match event {
                    Event::Taken => taken = true,
                    // A request that broke off before it was given its invocation is repeated.
                    Event::Asked if !taken => {}
                    Event::Asked => return reply.unwrap_or_else(unanswered),
                    event => reply = reply.or_else(|| replied(event, request_id)),
                },
                status = self.process.exit.wait() => return reply.unwrap_or(Invocation::Crashed { status }),
                () = sleep_until(deadline) => {
                    self.process.kill().await;
                    return reply.unwrap_or(Invocation::TimedOut);
                }
            }
        }
    }
}

/// An answer to another invocation is no answer.
fn replied(event: Event, current: &str) -> Option<Invocation> {
    match event {
        Event::Answered { request_id, answer } if request_id == current => Some(Invocation::Ok(answer)),
        Event::Failed { request_id, kind, message } if request_id == current => {
            Some(Invocation::FunctionError { kind, message })
        }
        Event::InitFailed { message } => Some(Invocation::InitError { message }),
        _ => None,
    }
}

fn unanswered() -> Invocation {
    let message = "it asked for the next invocation without an answer to this one".to_owned();
    Invocation::FunctionError { kind: "Local.Unanswered".to_owned(), message }
}

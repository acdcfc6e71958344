//! What an instance's endpoints and its invocations say to one another.

use bytes::Bytes;
use tokio::sync::{Mutex, mpsc};

/// One invocation, on its way to the instance.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) request_id: String,
    /// The end of its time, in milliseconds since 1970.
    pub(super) deadline_ms: u128,
    pub(super) payload: Bytes,
    /// The X-Ray header, which the SDKs of a function send along.
    pub(super) trace: String,
}

/// What an instance did.
#[derive(Debug)]
pub(super) enum Event {
    /// It asks for its next invocation.
    Asked,
    /// It was given the invocation it asked for.
    Taken,
    /// It answered.
    Answered { request_id: String, answer: Bytes },
    /// It answered with an error.
    Failed { request_id: String, kind: String, message: String },
    /// It can't start.
    InitFailed { message: String },
}

/// The endpoints' side.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) function: String,
    pub(super) events: mpsc::UnboundedSender<Event>,
    // Locked while a request waits for its order; a request that is given up lets the next one wait.
    pub(super) orders: Mutex<mpsc::UnboundedReceiver<Order>>,
}

impl Desk {
    /// An instance that has ended hears no events.
    pub(super) fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }
}

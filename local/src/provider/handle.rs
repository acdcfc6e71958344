//! A hold on a server that somebody else ends.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;

use super::listen::State;
use super::{Asking, End, Protocol};

/// A hold on a server that somebody else ends.
pub(crate) struct Handle<P: Protocol> {
    base_url: Arc<str>,
    state: Arc<State<P>>,
}

/// One request that arrived, as a program outside sees it.
#[derive(Debug, Serialize)]
pub(crate) struct Received {
    /// Its token, or the name of its subscription.
    to: String,
    /// The status it was answered with, if it has been.
    status: Option<u16>,
    /// The reason, of a refusal.
    reason: Option<String>,
    /// What reached the device.
    body: Value,
    #[serde(skip)]
    pub(crate) start: Instant,
}

impl<P: Protocol> Clone for Handle<P> {
    fn clone(&self) -> Self {
        Self { base_url: self.base_url.clone(), state: self.state.clone() }
    }
}

impl<P: Protocol> Handle<P> {
    pub(super) fn new(base_url: String, state: Arc<State<P>>) -> Self {
        Self { base_url: base_url.into(), state }
    }

    /// What is the provider's own.
    pub(crate) fn protocol(&self) -> &P {
        &self.state.protocol
    }

    /// The server's base URL.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What arrived for a device, or the last `most` requests, in order of arrival.
    pub(crate) fn received(&self, to: Option<&str>, most: usize) -> Vec<Received> {
        let ledger = &self.state.ledger;
        let first = if to.is_some() { 0 } else { (ledger.tally().requests as usize).saturating_sub(most) };
        let requests = ledger.requests_from(first).into_iter();
        let wanted = requests.filter(|request| to.is_none_or(|to| request.asked.device() == to));
        let received = wanted.map(|request| {
            let (status, reason) = match request.end {
                Some((_, End::Answered { status, reason })) => (Some(status), reason),
                _ => (None, None),
            };
            let body = self.state.protocol.readable(&request.asked, &request.body);
            let body = serde_json::from_slice(&body).unwrap_or_default();
            Received { to: request.asked.device().to_owned(), status, reason, body, start: request.start }
        });
        received.collect()
    }
}

//! The ledger: every request, and what the requests of one device say about order, duplicates and second flights.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::Notify;

use super::{Asking, End, Recorded};
use crate::patience::soon;

/// A reset or a lost connection reaches us a little after the client knows of it, and a client that has given up may
/// have sent again meanwhile. An answer ends a flight before the client can see it, so it needs no such grace.
const GRACE: Duration = Duration::from_millis(500);

/// What the ledger adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests that arrived.
    pub requests: u64,
    /// Requests that were delivered.
    pub accepted: u64,
    /// Notifications that were delivered, each counted once.
    pub delivered: u64,
    /// Deliveries of a notification that had been delivered.
    pub duplicates: u64,
    /// Requests with a lower number than one that its device has seen.
    pub order_violations: u64,
    /// Pairs of requests of one device that were in flight at the same time.
    pub second_flights: u64,
    /// Requests in flight now.
    pub in_flight: u64,
    /// The most at one moment.
    pub peak_in_flight: u64,
    /// Connections that shook hands so far.
    pub connections: u64,
    /// Connections open now.
    pub connections_open: u64,
}

pub(super) struct Ledger<A> {
    book: Mutex<Book<A>>,
    changed: Notify,
}

struct Book<A> {
    requests: Vec<Recorded<A>>,
    devices: HashMap<String, Device>,
    /// Flights in the air that others of their device overlap, and when those began.
    overlapped: HashMap<usize, Vec<Instant>>,
    tally: Tally,
}

#[derive(Default)]
struct Device {
    /// In the air: ids, which are places in `requests`.
    flights: Vec<usize>,
    newest: Option<u64>,
    accepted: HashSet<String>,
}

/// One flight. Dropped without an end, it was lost.
pub(super) struct Flight<A: Asking> {
    ledger: Arc<Ledger<A>>,
    id: usize,
    ended: bool,
}

impl<A: Asking> Default for Ledger<A> {
    fn default() -> Self {
        let book =
            Book { requests: Vec::new(), devices: HashMap::new(), overlapped: HashMap::new(), tally: Tally::default() };
        Self { book: Mutex::new(book), changed: Notify::new() }
    }
}

impl<A: Asking> Ledger<A> {
    /// Opens a flight.
    pub(super) fn begin(self: &Arc<Self>, connection: u64, asked: A, body: Bytes, n: Option<u64>) -> Flight<A> {
        let start = Instant::now();
        let mut book = self.lock();
        let Book { requests, devices, overlapped, tally } = &mut *book;
        let device = devices.entry(asked.device().to_owned()).or_default();
        for id in &device.flights {
            overlapped.entry(*id).or_default().push(start);
        }
        let id = requests.len();
        device.flights.push(id);
        if n.is_some() && n < device.newest {
            tally.order_violations += 1;
        }
        device.newest = device.newest.max(n);
        tally.requests += 1;
        tally.in_flight += 1;
        tally.peak_in_flight = tally.peak_in_flight.max(tally.in_flight);
        requests.push(Recorded { asked, body, n, connection, start, end: None });
        drop(book);
        self.changed.notify_waiters();
        Flight { ledger: self.clone(), id, ended: false }
    }

    pub(super) fn connected(&self) -> u64 {
        let mut book = self.lock();
        book.tally.connections += 1;
        book.tally.connections_open += 1;
        let connection = book.tally.connections;
        drop(book);
        self.changed.notify_waiters();
        connection
    }

    pub(super) fn disconnected(&self) {
        self.lock().tally.connections_open -= 1;
        self.changed.notify_waiters();
    }

    pub(super) fn requests_from(&self, n: usize) -> Vec<Recorded<A>> {
        self.lock().requests.get(n..).unwrap_or_default().to_vec()
    }

    pub(super) fn tally(&self) -> Tally {
        let book = self.lock();
        let now = Instant::now();
        let still = book.overlapped.values().map(|starts| late(starts, now)).sum::<u64>();
        Tally { second_flights: book.tally.second_flights + still, ..book.tally }
    }

    pub(super) async fn wait_until(&self, condition: impl Fn(&Tally) -> bool) -> Tally {
        soon(self.eventually(condition), || format!("{:?}", self.tally())).await
    }

    async fn eventually(&self, condition: impl Fn(&Tally) -> bool) -> Tally {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Registered before the look, so that a change between the two is not missed.
            changed.as_mut().enable();
            let tally = self.tally();
            if condition(&tally) {
                return tally;
            }
            changed.await;
        }
    }

    fn end(&self, id: usize, end: End) {
        let now = Instant::now();
        let mut book = self.lock();
        let Book { requests, devices, overlapped, tally } = &mut *book;
        let request = &mut requests[id];
        let device = devices.entry(request.asked.device().to_owned()).or_default();
        device.flights.retain(|flying| *flying != id);
        if let Some(starts) = overlapped.remove(&id) {
            tally.second_flights += match end {
                End::Answered { .. } | End::Refused => starts.len() as u64,
                End::Reset | End::Lost => late(&starts, now),
            };
        }
        if matches!(end, End::Answered { status: 200..=299, .. }) {
            tally.accepted += 1;
            let known_by = request.n.map(|n| n.to_string()).or_else(|| request.asked.known_by().map(str::to_owned));
            if known_by.is_none_or(|name| device.accepted.insert(name)) {
                tally.delivered += 1;
            } else {
                tally.duplicates += 1;
            }
        }
        tally.in_flight -= 1;
        request.end = Some((now, end));
        drop(book);
        self.changed.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, Book<A>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn late(starts: &[Instant], end: Instant) -> u64 {
    starts.iter().filter(|start| end.duration_since(**start) > GRACE).count() as u64
}

impl<A: Asking> Flight<A> {
    /// Ends the flight. An answer is recorded before it is written: its client may send the next at once.
    pub(super) fn end(mut self, end: End) {
        self.ended = true;
        self.ledger.end(self.id, end);
    }
}

impl<A: Asking> Drop for Flight<A> {
    fn drop(&mut self) {
        if !self.ended {
            self.ledger.end(self.id, End::Lost);
        }
    }
}

#[cfg(test)]
mod tests;

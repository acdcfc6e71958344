//! What happened, and whether the guarantees held. Violations are noted when they happen and reported at the end.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::Instant;

use pushwake::queue::Lease;
use uuid::Uuid;

/// One event for one device.
pub type Key = (String, String);

#[derive(Default)]
pub struct Ledger(Mutex<Book>);

#[derive(Default)]
struct Book {
    queued: HashSet<Key>,
    delivered: HashSet<Key>,
    /// Rejected, unanswered too often.
    discarded: HashSet<Key>,
    /// Killed by the test's own expiry.
    expired: HashSet<Key>,
    /// When the caller heard of it.
    dismissed: HashMap<Key, Instant>,
    /// What is with the provider, by device.
    flying: HashMap<String, Uuid>,
    /// The last seq that was sent, by device.
    last: HashMap<String, i64>,
    /// Answered and not allowed to be asked again.
    answered: HashSet<i64>,
    dead: Vec<Uuid>,
    violations: Vec<String>,
    sends: usize,
}

impl Ledger {
    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.0.lock().expect("no task panics while it writes")
    }

    pub fn queued(&self, event: &str, device: &str) {
        self.book().queued.insert((event.into(), device.into()));
    }

    pub fn dismissed(&self, event: &str, device: &str) {
        self.book().dismissed.entry((event.into(), device.into())).or_insert_with(Instant::now);
    }

    /// A claim that started at `claimed` found this event live.
    pub fn live(&self, event: &str, device: &str, claimed: Instant) {
        let mut book = self.book();
        if book.dismissed.get(&(event.into(), device.into())).is_some_and(|dismissed| *dismissed < claimed) {
            book.violations.push(format!("{event} for {device} was dismissed and is live"));
        }
    }

    pub fn expired(&self, event: String, device: String) {
        self.book().expired.insert((event, device));
    }

    /// A flight starts: G2 and G3.
    pub fn take_off(&self, lease: &Lease) {
        let mut book = self.book();
        book.sends += 1;
        let device = lease.device.as_str().to_owned();
        if let Some(other) = book.flying.insert(device.clone(), lease.token) {
            book.violations.push(format!("second flight of {device}: {} beside {other}", lease.token));
        }
        if book.last.get(&device).is_some_and(|last| *last > lease.head) {
            book.violations.push(format!("{device}: {} was sent after a later one", lease.head));
        }
        if book.answered.contains(&lease.head) {
            book.violations.push(format!("{device}: {} was answered and is sent again", lease.head));
        }
        book.last.insert(device, lease.head);
    }

    /// A flight ends: at its answer, or with the connection of a drain that died.
    pub fn land(&self, lease: &Lease) {
        self.book().flying.remove(lease.device.as_str());
    }

    /// The provider answered for good: G4 holds from here, unless the drain dies before its finish.
    pub fn answered(&self, lease: &Lease) {
        self.book().answered.insert(lease.head);
    }

    pub fn delivered(&self, event: &str, device: &str) {
        self.book().delivered.insert((event.into(), device.into()));
    }

    pub fn discarded(&self, event: &str, device: &str) {
        self.book().discarded.insert((event.into(), device.into()));
    }

    /// A drain died with this lease: it comes back, and may be sent again.
    pub fn died(&self, lease: &Lease) {
        let mut book = self.book();
        book.dead.push(lease.token);
        book.answered.remove(&lease.head);
    }

    pub fn dead_tokens(&self) -> Vec<Uuid> {
        self.book().dead.clone()
    }

    pub fn check(&self, seed: u64) {
        let book = self.book();
        assert!(book.violations.is_empty(), "seed {seed}: {:#?}", book.violations);
        let lost: Vec<_> = book
            .queued
            .iter()
            .filter(|key| {
                !book.dismissed.contains_key(key)
                    && ![&book.delivered, &book.discarded, &book.expired].iter().any(|set| set.contains(key))
            })
            .collect();
        assert!(lost.is_empty(), "seed {seed}: lost {lost:?}");
        println!(
            "seed {seed}: {} queued, {} sends, {} delivered, {} expired, {} dismissed, {} discarded, {} leases of the dead",
            book.queued.len(),
            book.sends,
            book.delivered.len(),
            book.expired.len(),
            book.dismissed.len(),
            book.discarded.len(),
            book.dead.len()
        );
    }
}

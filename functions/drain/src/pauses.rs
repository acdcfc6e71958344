//! Paused apps, as one drain sees them.
//!
//! The claim leaves paused apps out by itself. What is kept here are the apps this drain has just seen failing, from
//! the answer on and not only from the commit of their pause, and when to ask for the probes of pauses that are over.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::outcome::Reason;
use pushwake::contract::AppId;
use tokio::time::Instant;

/// How often a busy drain asks for probes; an idle one asks once, since the end of a pause has its own wake.
const ASK_EVERY: Duration = Duration::from_secs(10);

/// See the module.
#[derive(Debug)]
pub struct Pauses {
    apps: Vec<AppId>,
    /// Seen failing; until then at least.
    failing: HashMap<AppId, Instant>,
    ask_at: Instant,
    /// Probes that are ours and have not claimed yet, and what their apps are paused for.
    ours: Vec<(AppId, Reason)>,
    /// Probes of ours that wait for their answer.
    out: HashSet<AppId>,
}

impl Pauses {
    /// Nothing is known to be paused; the probes are asked for at once.
    pub fn new(apps: Vec<AppId>, now: Instant) -> Self {
        Self { apps, failing: HashMap::new(), ask_at: now, ours: Vec::new(), out: HashSet::new() }
    }

    /// The apps to claim from.
    pub fn claimable(&self) -> Vec<AppId> {
        self.apps.iter().filter(|app| !self.failing.contains_key(*app)).cloned().collect()
    }

    /// Whether there is any.
    pub fn any_claimable(&self) -> bool {
        self.apps.iter().any(|app| !self.failing.contains_key(app))
    }

    /// A send has met a fault of the whole app. False if that was known.
    pub fn fails(&mut self, app: &AppId, now: Instant) -> bool {
        self.failing.insert(app.clone(), now + ASK_EVERY).is_none()
    }

    /// The pause is written.
    pub fn paused(&mut self, app: &AppId, until: Instant) {
        self.failing.insert(app.clone(), until);
        self.ask_at = self.ask_at.min(until);
    }

    /// When to ask for probes.
    pub fn ask_at(&self) -> Option<Instant> {
        (!self.apps.is_empty()).then_some(self.ask_at)
    }

    /// The apps whose probes to ask for now.
    pub fn ask(&mut self, now: Instant) -> Vec<AppId> {
        self.ask_at = now + ASK_EVERY;
        self.failing.retain(|_, until| *until > now);
        let ours = |app: &AppId| self.out.contains(app) || self.ours.iter().any(|(ours, _)| ours == app);
        self.claimable().into_iter().filter(|app| !ours(app)).collect()
    }

    /// Probes that are ours now.
    pub fn ours(&mut self, apps: Vec<(AppId, Reason)>) {
        self.ours.extend(apps);
    }

    /// The next probe to claim for, and what its app is paused for.
    pub fn probe(&mut self) -> Option<(AppId, Reason)> {
        let (app, reason) = self.ours.pop()?;
        self.out.insert(app.clone());
        Some((app, reason))
    }

    /// What the probe claimed was nothing to send: it claims again.
    pub fn probe_again(&mut self, app: AppId, reason: Reason) {
        self.out.remove(&app);
        self.ours.push((app, reason));
    }

    /// The probe is over, one way or the other.
    pub fn probe_over(&mut self, app: &AppId) {
        self.out.remove(app);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(now: Instant) -> (Pauses, AppId, AppId) {
        let (ios, web) = (AppId::from("ios"), AppId::from("web"));
        (Pauses::new(vec![ios.clone(), web.clone()], now), ios, web)
    }

    #[test]
    fn a_failing_app_is_left_out_at_once_and_named_once() {
        let now = Instant::now();
        let (mut pauses, ios, web) = pauses(now);
        assert!(pauses.fails(&ios, now));
        assert!(!pauses.fails(&ios, now));
        assert_eq!(pauses.claimable(), [web]);
    }

    #[test]
    fn the_end_of_a_pause_asks_for_its_probe() {
        let now = Instant::now();
        let (mut pauses, ios, web) = pauses(now);
        assert_eq!(pauses.ask(now), [ios.clone(), web.clone()]);
        let until = now + Duration::from_secs(3);
        pauses.paused(&ios, until);
        assert_eq!(pauses.ask_at(), Some(until));
        assert_eq!(pauses.ask(until), [ios, web]);
    }

    #[test]
    fn a_probe_that_is_out_is_not_asked_for_again() {
        let now = Instant::now();
        let (mut pauses, ios, web) = pauses(now);
        pauses.ours(vec![(ios.clone(), "Shutdown".into())]);
        assert_eq!(pauses.ask(now), std::slice::from_ref(&web));
        assert_eq!(pauses.probe(), Some((ios.clone(), "Shutdown".into())));
        assert_eq!(pauses.ask(now), std::slice::from_ref(&web));
        pauses.probe_over(&ios);
        assert_eq!(pauses.ask(now), [ios, web]);
    }
}

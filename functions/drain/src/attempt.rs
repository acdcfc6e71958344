//! One head from its claim to its finish.

use std::sync::Arc;
use std::time::Duration;

use pushwake::function::metric::Metric;
use pushwake::limits::{LEASE, UNANSWERED};
use pushwake::queue::{DeadToken, Finish, Found, Head, Lease, Notification, Step};
use tokio::time::Instant;

use crate::clock::DatabaseClock;
use crate::outcome::Reason;
use crate::policy::{Tried, Verdict};

/// A head that is sent.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The right to send it.
    pub lease: Lease,
    /// What is sent.
    pub notification: Arc<Notification>,
    /// Attempts at it, this one included.
    pub attempts: i32,
    /// Attempts without an answer, this one included.
    pub unanswered: i32,
    /// The database's clock, as of its claim.
    pub clock: DatabaseClock,
    /// When its claim was sent.
    pub claimed: Instant,
    /// When it was started.
    pub started: Instant,
    /// It is the one probe of an app that is paused for this reason.
    pub probe: Option<Reason>,
}

/// A head whose outcome is known. Whatever happens now, it is not sent again before its finish is done or lost.
#[derive(Debug)]
pub struct Unfinished {
    /// What becomes of it.
    pub finish: Finish,
    /// What it counts as, once that is done; nothing, if it was not tried after all.
    pub counts_as: Option<Metric>,
    /// Its token is dead.
    pub dead: Option<DeadToken>,
    /// What it says about its whole app.
    pub verdict: Option<Verdict>,
    /// When its outcome was known.
    pub known: Instant,
    /// Its next finish is not tried before.
    pub not_before: Instant,
    /// How often its lane was found locked.
    pub skips: u32,
    /// An earlier finish got no answer, and may have committed.
    pub unsure: bool,
    /// A verdict against the token that the next outcomes may prove wrong.
    pub doubt: Option<Tried>,
}

impl Unfinished {
    /// An outcome that says nothing about the token or the app.
    pub fn new(lease: Lease, step: Step, counts_as: Metric, now: Instant) -> Self {
        let finish = Finish { lease, step, rest: None };
        let counts_as = Some(counts_as);
        Self {
            finish,
            counts_as,
            dead: None,
            verdict: None,
            known: now,
            not_before: now,
            skips: 0,
            unsure: false,
            doubt: None,
        }
    }

    /// Not sent after all: it goes back, and no attempt is spent.
    pub fn untried(lease: Lease, now: Instant) -> Self {
        Self { counts_as: None, ..Self::new(lease, Step::Release { after: Duration::ZERO }, Metric::Retried, now) }
    }
}

/// What a claimed head asks for.
#[derive(Debug)]
pub enum Triage {
    /// To be sent.
    Send(Attempt),
    /// To be finished without a send. The notification is there for its log line.
    Finish(Box<Unfinished>, i32, Option<Notification>),
}

/// How long a payload in a newer format is left to a newer drain: a deploy takes minutes, and each look is a claim.
const NEWER_RELEASED_FOR: Duration = LEASE;

/// Sorts a head whose claim was sent at `claimed`.
pub fn triage(head: Head, clock: DatabaseClock, probe: Option<&Reason>, claimed: Instant, now: Instant) -> Triage {
    let Head { lease, attempts, unanswered, found } = head;
    let (step, counts_as, notification) = match found {
        Found::Live(notification) if unanswered > UNANSWERED => (Step::Discard, Metric::Unanswered, Some(notification)),
        Found::Live(notification) => {
            let notification = Arc::new(notification);
            let (started, probe) = (now, probe.cloned());
            return Triage::Send(Attempt { lease, notification, attempts, unanswered, clock, claimed, started, probe });
        }
        Found::Expired(notification) => (Step::Expire, Metric::Expired, Some(notification)),
        Found::Dismissed(notification) => (Step::Discard, Metric::Dismissed, Some(notification)),
        Found::Newer(_) => (Step::Release { after: NEWER_RELEASED_FOR }, Metric::Newer, None),
        Found::Missing => (Step::Discard, Metric::Poison, None),
    };
    Triage::Finish(Box::new(Unfinished::new(lease, step, counts_as, now)), attempts, notification)
}

#[cfg(test)]
pub(crate) mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::leases::tests::lease;

    fn notification() -> Notification {
        Notification {
            source: "orders".into(),
            event: "e1".into(),
            kind: "alert".to_owned(),
            payload: "{}".to_owned(),
            target: "{}".to_owned(),
            send_at: OffsetDateTime::UNIX_EPOCH,
            expires_at: OffsetDateTime::UNIX_EPOCH + Duration::from_mins(5),
        }
    }

    pub(crate) fn attempt(head: i64) -> Attempt {
        Attempt {
            lease: lease(head),
            notification: Arc::new(notification()),
            attempts: 1,
            unanswered: 1,
            clock: DatabaseClock::showing(OffsetDateTime::UNIX_EPOCH),
            claimed: Instant::now(),
            started: Instant::now(),
            probe: None,
        }
    }

    fn sorted(found: Found, unanswered: i32) -> Option<(Step, Metric)> {
        let head = Head { lease: lease(1), attempts: 9, unanswered, found };
        match triage(head, DatabaseClock::showing(OffsetDateTime::UNIX_EPOCH), None, Instant::now(), Instant::now()) {
            Triage::Send(_) => None,
            Triage::Finish(unfinished, ..) => unfinished.counts_as.map(|metric| (unfinished.finish.step, metric)),
        }
    }

    #[test]
    fn only_a_live_head_is_sent() {
        assert_eq!(sorted(Found::Live(notification()), 1), None);
        assert_eq!(sorted(Found::Expired(notification()), 1), Some((Step::Expire, Metric::Expired)));
        assert_eq!(sorted(Found::Dismissed(notification()), 1), Some((Step::Discard, Metric::Dismissed)));
        assert_eq!(sorted(Found::Missing, 1), Some((Step::Discard, Metric::Poison)));
    }

    #[test]
    fn c61_a_newer_format_is_left_to_a_newer_drain() {
        let (step, counts_as) = sorted(Found::Newer(2), 1).expect("not sent");
        assert!(matches!(step, Step::Release { after } if !after.is_zero()));
        assert_eq!(counts_as, Metric::Newer);
    }

    #[test]
    fn a_head_that_was_sent_three_times_without_an_answer_is_not_sent_again() {
        assert_eq!(sorted(Found::Live(notification()), UNANSWERED), None);
        assert_eq!(sorted(Found::Live(notification()), UNANSWERED + 1), Some((Step::Discard, Metric::Unanswered)));
    }
}

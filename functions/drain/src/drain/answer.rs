//! A send is over: judge its outcome and keep it for its finish.

use std::time::Duration;

use pushwake::contract::Target;
use pushwake::function::metric::Metric;
use pushwake::limits::LEASE_MARGIN;
use pushwake::queue::{DeadToken, Finish, Step};
use tokio::task::{Id, JoinError};
use tokio::time::Instant;

use super::Running;
use crate::attempt::{Attempt, Unfinished};
use crate::log;
use crate::outcome::{Outcome, Sent};
use crate::policy::{Breaker, Dead, Decision, Pause, Tried, decide};
use crate::send::without_answer;
use crate::settle::Verdict;

impl Running<'_> {
    /// Takes this answer, and whatever else has been answered by now.
    pub(super) fn on_sent(&mut self, first: Result<(Id, Option<Sent>), JoinError>) {
        let mut next = Some(first);
        while let Some(sent) = next {
            self.answered(sent);
            next = self.sends.try_join_next_with_id();
        }
    }

    fn answered(&mut self, sent: Result<(Id, Option<Sent>), JoinError>) {
        let now = Instant::now();
        let (id, sent) = match sent {
            Ok(sent) => sent,
            // Its text is withheld; the panic hook has logged where. It may have been written, so it is ambiguous.
            Err(panicked) => {
                self.counts.one(Metric::Panicked);
                (panicked.id(), Some(without_answer("panic", Duration::ZERO)))
            }
        };
        let Some(attempt) = self.window.answered(id) else { return };
        let unfinished = match sent {
            Some(sent) => self.judge(&attempt, sent, now),
            None => untried(&attempt, now),
        };
        self.window.keep(unfinished);
    }

    fn judge(&mut self, attempt: &Attempt, sent: Sent, now: Instant) -> Unfinished {
        let app = &attempt.lease.app;
        let breaker = self.drain.breakers.entry(app.clone()).or_insert_with(|| Breaker::new(now.into_std()));
        let outcome = breaker.judge(sent.outcome, now.into_std());
        let sent = Sent { outcome, ..sent };
        log::attempt(attempt, &sent, &self.invocation.request_id);
        // Only a process that was suspended between the check and the write takes this long.
        if sent.took > self.drain.give_up + LEASE_MARGIN {
            self.counts.one(Metric::SentLate);
        }
        match sent.outcome {
            Outcome::Ambiguous { .. } => self.counts.one(Metric::Ambiguous),
            Outcome::Misconfigured { .. } => self.counts.one(Metric::Misconfigured),
            _ => {}
        }
        let left = (attempt.notification.expires_at - attempt.clock.now()).try_into().unwrap_or_default();
        let tried = Tried { attempts: attempt.attempts, unanswered: attempt.unanswered, left };
        let decision = decide(&sent.outcome, &tried);
        let verdict = verdict(attempt.probe, &sent.outcome, decision.pause.as_ref());
        if matches!(verdict, Some(Verdict::Pause(_))) {
            self.pauses.fails(app, now);
        }
        let counts_as = counts_as(&sent.outcome, &decision);
        Unfinished {
            finish: Finish { lease: attempt.lease.clone(), step: decision.step, rest: decision.rest },
            dead: decision.dead.and_then(|dead| dead_token(attempt, dead)),
            verdict,
            ..Unfinished::new(attempt.lease.clone(), decision.step, counts_as, now)
        }
    }
}

/// Its lease was too old to send under: it goes back at once, and no attempt is spent.
fn untried(attempt: &Attempt, now: Instant) -> Unfinished {
    tracing::warn!(app = attempt.lease.app.as_str(), "a claim took too long to send under, and is given back");
    let verdict = attempt.probe.then_some(Verdict::GiveBack);
    Unfinished { verdict, ..Unfinished::untried(attempt.lease.clone(), now) }
}

/// What a send says about its app. A probe says more: any real answer ends the pause, none gives the probe back, and
/// a provider that is still away keeps it.
fn verdict(probe: bool, outcome: &Outcome, pause: Option<&Pause>) -> Option<Verdict> {
    match (pause, outcome) {
        (Some(pause), _) => Some(Verdict::Pause(pause.clone())),
        _ if !probe => None,
        (None, Outcome::Unavailable { reason, retry_after }) => {
            Some(Verdict::Pause(Pause { reason: reason.clone(), at_least: *retry_after }))
        }
        (None, Outcome::Ambiguous { .. }) => Some(Verdict::GiveBack),
        (None, Outcome::Rejected { reason, .. }) if is_poison(reason) => Some(Verdict::GiveBack),
        (None, _) => Some(Verdict::Resume),
    }
}

fn counts_as(outcome: &Outcome, decision: &Decision) -> Metric {
    match (decision.step, outcome) {
        (Step::Complete, _) => Metric::Delivered,
        (Step::Expire, _) => Metric::Expired,
        (Step::Retry { .. } | Step::Release { .. }, _) => Metric::Retried,
        (Step::Discard, Outcome::Unregistered { .. }) => Metric::Unregistered,
        (Step::Discard, Outcome::Ambiguous { .. }) => Metric::Unanswered,
        (Step::Discard, Outcome::Rejected { reason, .. }) if is_poison(reason) => Metric::Poison,
        (Step::Discard, _) => Metric::Rejected,
    }
}

/// The provider was never asked: what is stored can't be sent.
fn is_poison(reason: &str) -> bool {
    matches!(
        reason,
        "UnreadableTarget"
            | "UnsendableTarget"
            | "UnreadablePayload"
            | "UnbuildablePayload"
            | "ForbiddenEndpoint"
            | "ForbiddenAddress"
    )
}

fn dead_token(attempt: &Attempt, dead: Dead) -> Option<DeadToken> {
    let target = Target::from_json(&attempt.notification.target).ok()?;
    Some(DeadToken {
        app: attempt.lease.app.clone(),
        device: attempt.lease.device.clone(),
        token_hash: target.hash(),
        reason: dead.reason.into_owned(),
        dead_at: dead.dead_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_real_answer_to_a_probe_ends_a_pause() {
        let reason = || "InvalidProviderToken".into();
        let pause = Pause { reason: reason(), at_least: None };
        let misconfigured = Outcome::Misconfigured { reason: reason() };
        assert_eq!(verdict(true, &Outcome::Delivered, None), Some(Verdict::Resume));
        assert_eq!(verdict(true, &Outcome::Ambiguous { reason: reason() }, None), Some(Verdict::GiveBack));
        assert_eq!(verdict(true, &misconfigured, Some(&pause)), Some(Verdict::Pause(pause.clone())));
        assert_eq!(
            verdict(true, &Outcome::Unavailable { reason: reason(), retry_after: None }, None),
            Some(Verdict::Pause(pause.clone()))
        );
        let unreadable = Outcome::Rejected { reason: "UnreadablePayload".into(), listed: true };
        assert_eq!(verdict(true, &unreadable, None), Some(Verdict::GiveBack), "the provider was never asked");
        let rejected = Outcome::Rejected { reason: "PayloadTooLarge".into(), listed: true };
        assert_eq!(verdict(true, &rejected, None), Some(Verdict::Resume));
        assert_eq!(verdict(false, &misconfigured, Some(&pause)), Some(Verdict::Pause(pause)));
        assert_eq!(verdict(false, &Outcome::Delivered, None), None);
    }
}

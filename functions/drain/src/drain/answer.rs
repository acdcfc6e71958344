//! A send is over: judge its outcome and keep it for its finish.

use std::time::Duration;

use pushwake::contract::{AppId, Target};
use pushwake::function::metric::Metric;
use pushwake::limits::LEASE_MARGIN;
use pushwake::queue::{DeadToken, Finish, Step};
use tokio::task::{Id, JoinError};
use tokio::time::Instant;

use super::Running;
use crate::attempt::{Attempt, Unfinished};
use crate::log;
use crate::outcome::{Outcome, Sent};
use crate::policy::{
    Breaker, Dead, Decision, Pause, Seen, TOO_MANY_DEAD_TOKENS, Tried, Verdict, decide, is_unsent, of_probe,
};
use crate::send::without_answer;

/// How long a verdict against a token waits for the others while it can't be told from a wrong environment.
const DOUBT: Duration = Duration::from_secs(1);

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
        let panicked = sent.is_err();
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
            Some(sent) => {
                if !panicked {
                    self.measures.sent(&attempt.lease.app, &sent);
                }
                self.judge(&attempt, sent, now)
            }
            None => untried(&attempt, now),
        };
        self.window.keep(unfinished);
    }

    fn judge(&mut self, attempt: &Attempt, sent: Sent, now: Instant) -> Unfinished {
        let app = &attempt.lease.app;
        let (outcome, verdict, doubtful) = self.judged(attempt, sent.outcome, now);
        let sent = Sent { outcome, ..sent };
        if sent.outcome != Outcome::Delivered || log::is_sampled(attempt.lease.head, self.drain.delivered_sample) {
            log::attempt(attempt, &sent, &self.invocation.request_id);
        }
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
        let verdict = verdict.or(decision.pause.clone().map(Verdict::Pause));
        if let Some(Verdict::Pause(pause)) = &verdict {
            self.pauses.fails(app, now);
            self.set_aside(app, pause, now);
        }
        let counts_as = counts_as(&sent.outcome, &decision);
        Unfinished {
            finish: Finish { lease: attempt.lease.clone(), step: decision.step, rest: decision.rest },
            dead: decision.dead.and_then(|dead| dead_token(attempt, dead)),
            verdict,
            not_before: if doubtful { now + DOUBT } else { now },
            doubt: doubtful.then_some(tried),
            ..Unfinished::new(attempt.lease.clone(), decision.step, counts_as, now)
        }
    }

    /// The outcome to act on, what it says about the app, and whether the next ones may prove it wrong.
    fn judged(&mut self, attempt: &Attempt, outcome: Outcome, now: Instant) -> (Outcome, Option<Verdict>, bool) {
        if let Some(reason) = &attempt.probe {
            let (outcome, verdict) = of_probe(reason, outcome);
            return (outcome, Some(verdict), false);
        }
        let app = &attempt.lease.app;
        let breaker = self.drain.breakers.entry(app.clone()).or_insert_with(|| Breaker::new(now.into_std()));
        let (claimed, started) = (attempt.claimed.into_std(), attempt.started.into_std());
        let seen = Seen { device: &attempt.lease.device, claimed, started, now: now.into_std() };
        let judged = breaker.judge(outcome, &seen);
        if judged.opened.is_none() && breaker.believes() {
            self.window.believe(app);
        }
        (judged.outcome, judged.opened.map(Verdict::Pause), judged.doubtful)
    }

    /// The verdicts against tokens that were doubted are not believed: their rows and tokens are kept.
    fn set_aside(&mut self, app: &AppId, pause: &Pause, now: Instant) {
        if pause.reason != TOO_MANY_DEAD_TOKENS {
            return;
        }
        let outcome = Outcome::Misconfigured { reason: pause.reason.clone() };
        let doubted = self.window.set_aside(app, now, |tried| decide(&outcome, tried).step);
        if doubted > 0 {
            self.counts.add(Metric::Misconfigured, doubted);
            tracing::warn!(app = app.as_str(), doubted, "dead tokens are not believed; what was sent to them is kept");
        }
    }
}

/// Its lease was too old to send under: it goes back at once, and no attempt is spent.
fn untried(attempt: &Attempt, now: Instant) -> Unfinished {
    tracing::warn!(app = attempt.lease.app.as_str(), "a claim took too long to send under, and is given back");
    let verdict = attempt.probe.as_ref().map(|_| Verdict::GiveBack);
    Unfinished { verdict, ..Unfinished::untried(attempt.lease.clone(), now) }
}

fn counts_as(outcome: &Outcome, decision: &Decision) -> Metric {
    match (decision.step, outcome) {
        (Step::Complete, _) => Metric::Delivered,
        (Step::Expire, _) => Metric::Expired,
        (Step::Retry { .. } | Step::Release { .. }, _) => Metric::Retried,
        (Step::Discard, Outcome::Unregistered { .. }) => Metric::Unregistered,
        (Step::Discard, Outcome::Ambiguous { .. }) => Metric::Unanswered,
        (Step::Discard, outcome) if is_unsent(outcome) => Metric::Poison,
        (Step::Discard, _) => Metric::Rejected,
    }
}

fn dead_token(attempt: &Attempt, dead: Dead) -> Option<DeadToken> {
    let notification = &attempt.notification;
    let target = Target::from_json(&notification.target).ok()?;
    Some(DeadToken {
        app: attempt.lease.app.clone(),
        device: attempt.lease.device.clone(),
        token_hash: target.hash(),
        reason: dead.reason.into_owned(),
        dead_at: dead.dead_at,
        source: notification.source.clone(),
        event: notification.event.clone(),
    })
}

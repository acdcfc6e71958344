//! A claim was answered: sort its heads and start their sends.

use pushwake::contract::AppId;
use pushwake::function::metric::Metric;
use pushwake::queue::{Claim, Claimed, QueueError};
use tokio::time::Instant;

use super::Running;
use super::statement::{Answer, Of};
use crate::attempt::{Attempt, Triage, Unfinished, triage};
use crate::clock::DatabaseClock;
use crate::log;
use crate::outcome::Reason;
use crate::pace::Came;
use crate::policy::Verdict;
use crate::send::send;
use crate::wakes;

impl Running<'_> {
    pub(super) fn on_statement(&mut self, answer: Answer) {
        if let Answer::Claim { claim: Ok(_), .. } = &answer {
            self.measures.claim_answered(self.invocation.receivable);
        }
        match answer {
            Answer::Claim { of: Of::All, sent, claim } => self.on_claim(sent, claim),
            Answer::Claim { of: Of::Aside, sent, claim } => self.on_claim_aside(sent, claim),
            Answer::Claim { of: Of::Probe { app, reason }, sent, claim } => {
                self.on_probe_claim(app, reason, sent, claim);
            }
            Answer::Finish { batch, finished } => self.on_finish(batch, finished),
            Answer::Settle(settled) => self.on_settled(settled),
            Answer::Probes { ours, error } => {
                self.pauses.ours(ours);
                if let Some(error) = error {
                    self.failed("asking for probes", error);
                }
            }
        }
    }

    fn on_claim(&mut self, sent: Instant, claim: Result<Claim, QueueError>) {
        let came = self.came(sent, claim);
        if matches!(came, Came::Short | Came::Empty) {
            self.dues.seen(sent);
        }
        self.last_claim_full = came == Came::Full;
        self.pace.claimed(came, self.window.is_busy(), Instant::now());
        if came == Came::Full && self.window.is_full() {
            self.recruit();
        }
    }

    /// It says nothing about the apps it left out, so the drain is not over for it, and nothing due was seen.
    fn on_claim_aside(&mut self, sent: Instant, claim: Result<Claim, QueueError>) {
        let came = match self.came(sent, claim) {
            Came::Empty => Came::Short,
            came => came,
        };
        self.pace.claimed(came, true, Instant::now());
    }

    fn came(&mut self, sent: Instant, claim: Result<Claim, QueueError>) -> Came {
        if claim.is_ok() {
            self.failures = 0;
        }
        match claim {
            Ok(Claim::Claimed(claimed)) => {
                let came = if claimed.full { Came::Full } else { Came::Short };
                self.start(claimed, sent, None);
                came
            }
            Ok(Claim::Empty) => {
                self.empty_claims += 1;
                Came::Empty
            }
            Ok(Claim::Yielded) => {
                self.counts.one(Metric::Yielded);
                Came::InTheWay
            }
            Ok(Claim::Contended) => {
                self.counts.one(Metric::Contended);
                Came::InTheWay
            }
            Err(error) => {
                self.failed("a claim", error);
                Came::Failed
            }
        }
    }

    fn on_probe_claim(&mut self, app: AppId, reason: Reason, sent: Instant, claim: Result<Claim, QueueError>) {
        match claim {
            Ok(Claim::Claimed(claimed)) => {
                if self.start(claimed, sent, Some(&reason)) == 0 {
                    // Expired, dismissed and the like: finished without a send, so it was no probe.
                    self.pauses.probe_again(app, reason);
                }
                return;
            }
            Ok(Claim::Empty | Claim::Yielded | Claim::Contended) => self.empty_claims += 1,
            Err(error) => {
                self.failed("the claim of a probe", error);
            }
        }
        self.settle.verdict(app, Verdict::GiveBack);
    }

    /// Starts the sends of a claim; the answer is how many. No more was claimed than starts now.
    fn start(&mut self, claimed: Claimed, sent: Instant, probe: Option<&Reason>) -> usize {
        self.counts.add(Metric::Claimed, claimed.heads.len() as u64);
        // Read before the claim was sent, the clock can only be ahead of the database's.
        let clock = DatabaseClock::new(sent.into_std(), claimed.now);
        let mut started = 0;
        for head in claimed.heads {
            self.measures.claimed(&head.lease.app);
            self.leases.hold(head.lease.clone(), sent);
            match triage(head, clock, probe, sent, Instant::now()) {
                Triage::Send(attempt) => {
                    started += 1;
                    self.start_send(attempt);
                }
                Triage::Finish(unfinished, attempts, notification) => {
                    log::unsent(&unfinished, attempts, notification.as_ref(), &clock, &self.invocation.request_id);
                    self.window.keep(*unfinished);
                }
            }
        }
        started
    }

    fn start_send(&mut self, attempt: Attempt) {
        let Some(provider) = self.drain.providers.of(&attempt.lease.app).cloned() else {
            // Claims name only apps with a client.
            self.window.keep(Unfinished::untried(attempt.lease, Instant::now()));
            return;
        };
        let task = self.sends.spawn(send(provider, attempt.clone(), self.leases.clone(), self.drain.give_up));
        self.window.sending(task.id(), attempt);
    }

    fn recruit(&mut self) {
        if self.recruited {
            return;
        }
        self.recruited = true;
        if let Some(wake) = wakes::recruit(self.invocation.wake) {
            let queue = self.drain.wakes.clone();
            self.posts.spawn(async move { queue.post(wake, std::time::Duration::ZERO).await });
        }
    }
}

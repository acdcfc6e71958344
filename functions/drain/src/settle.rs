//! What outcomes say beyond their own head: dead tokens, and pauses of whole apps.
//!
//! Written after the finish has committed, in transactions of their own: inside it, pauses deadlock. They come
//! before the next claim, so that a drain does not claim on from an app it has just seen failing.

use std::time::Duration;

use pushwake::contract::AppId;
use pushwake::queue::{DeadToken, Queue, QueueError};

use crate::policy::{Pause, Verdict};

/// What is to be written.
#[derive(Debug, Default)]
pub struct Settle {
    /// Dead tokens.
    pub dead: Vec<DeadToken>,
    /// At most one verdict per app and finish.
    pub verdicts: Vec<(AppId, Verdict)>,
}

/// What was written.
#[derive(Debug, Default)]
pub struct Settled {
    /// What could not be written yet.
    pub left: Settle,
    /// How long each app is paused now.
    pub paused: Vec<(AppId, Duration)>,
    /// Apps whose probe was answered or given back.
    pub probes_over: Vec<AppId>,
    /// One of them works again.
    pub resumed: bool,
    /// What was written for the feedback queue: dead tokens, pauses and their ends.
    pub feedback: usize,
    /// Why something is left.
    pub error: Option<QueueError>,
}

impl Settle {
    /// Nothing to write.
    pub fn is_empty(&self) -> bool {
        self.dead.is_empty() && self.verdicts.is_empty()
    }

    /// Adds a verdict. A pause is not prolonged for every send that met the same fault.
    pub fn verdict(&mut self, app: AppId, verdict: Verdict) {
        if !self.verdicts.iter().any(|(other, _)| *other == app) {
            self.verdicts.push((app, verdict));
        }
    }

    /// Writes everything, in order; after a failure the rest is left.
    pub async fn write(mut self, queue: &Queue) -> Settled {
        let mut settled = Settled::default();
        settled.error = self.write_until_failure(queue, &mut settled).await.err();
        settled.left = self;
        settled
    }

    async fn write_until_failure(&mut self, queue: &Queue, settled: &mut Settled) -> Result<(), QueueError> {
        if !self.dead.is_empty() {
            queue.mark_dead(&self.dead).await?;
            settled.feedback += self.dead.len();
            self.dead.clear();
        }
        while let Some((app, verdict)) = self.verdicts.last() {
            match verdict {
                Verdict::Pause(Pause { reason, at_least }) => {
                    let paused = queue.pause(app, reason, *at_least).await?;
                    // Alarms go by this field.
                    tracing::error!(
                        alarm = "app_paused",
                        app = app.as_str(),
                        reason = reason.as_ref(),
                        for_s = paused.as_secs(),
                        "the app is paused, since its provider fails as a whole or refuses its configuration"
                    );
                    settled.paused.push((app.clone(), paused));
                    settled.feedback += 1;
                }
                Verdict::Resume => {
                    queue.resume(app).await?;
                    tracing::info!(app = app.as_str(), "the app works again; its pause is over");
                    settled.resumed = true;
                    settled.feedback += 1;
                    settled.probes_over.push(app.clone());
                }
                Verdict::GiveBack => {
                    queue.give_probe_back(app).await?;
                    settled.probes_over.push(app.clone());
                }
            }
            self.verdicts.pop();
        }
        Ok(())
    }
}

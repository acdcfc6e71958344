//! Posts the outbox.

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::function::aws;
use crate::limits::{FEEDBACK_BATCH, FEEDBACK_BATCHES, FEEDBACK_ROUND, WAKE_POST};
use crate::queue::{Queue, QueueError, Unposted};
use crate::wake::WakeQueue;

/// The feedback queue.
#[derive(Clone, Debug)]
pub struct FeedbackQueue {
    client: Client,
    url: String,
}

/// What a run of the poster did.
#[derive(Debug, Default)]
pub struct Posted {
    /// Messages that SQS has and the outbox knows it.
    pub messages: usize,
    /// Why some are left.
    pub error: Option<FeedbackError>,
}

/// Why messages are left. Nothing is lost: they stay in the outbox, and schedule posts them.
#[derive(Debug, thiserror::Error)]
pub enum FeedbackError {
    /// The outbox could not be read or marked; what was posted may be posted again.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// SQS did not take them.
    #[error(
        "{messages} feedback messages could not be posted: {code}; check FEEDBACK_QUEUE_URL and the function's policy \
         and network"
    )]
    NotTaken {
        /// How many.
        messages: usize,
        /// What SQS said of the first.
        code: String,
    },
}

/// What became of one or more batches.
#[derive(Default)]
struct Sent {
    accepted: Vec<Unposted>,
    refused: Vec<Unposted>,
    code: Option<String>,
    /// A whole batch failed, so that the next would, too.
    away: bool,
}

impl FeedbackQueue {
    /// The queue at `url`, over the client of the wakes: one pool of connections, one set of time-outs.
    pub fn beside(wakes: &WakeQueue, url: impl Into<String>) -> Self {
        Self { client: wakes.client(), url: url.into() }
    }

    /// Posts what the outbox holds until nothing is left, SQS fails, or a further round
    /// ([`FEEDBACK_ROUND`]) could end after `until`.
    pub async fn post(&self, outbox: &Queue, until: Instant) -> Posted {
        let mut posted = Posted::default();
        let mut refused = Sent::default();
        while !refused.away && Instant::now() + FEEDBACK_ROUND <= until {
            match self.round(outbox, &mut refused).await {
                Ok((messages, last)) => {
                    posted.messages += messages;
                    if last {
                        break;
                    }
                }
                Err(error) => {
                    posted.error = Some(error.into());
                    break;
                }
            }
        }
        // Only now, so that the rounds of this run pass over what SQS refuses.
        let given_back = outbox.give_unposted_back(&refused.refused).await;
        if let Some(code) = refused.code {
            posted.error = Some(FeedbackError::NotTaken { messages: refused.refused.len(), code });
        } else if let Err(error) = given_back {
            posted.error.get_or_insert(error.into());
        }
        posted
    }

    /// One round. Answers how many messages are posted and marked, and whether they were the last.
    async fn round(&self, outbox: &Queue, refused: &mut Sent) -> Result<(usize, bool), QueueError> {
        let most = FEEDBACK_BATCH * FEEDBACK_BATCHES;
        let taken = outbox.take_unposted(most).await?;
        let last = taken.len() < most;
        let mut sends: JoinSet<Sent> = taken
            .chunks(FEEDBACK_BATCH)
            .map(|batch| {
                let (queue, batch) = (self.clone(), batch.to_vec());
                async move { queue.send(batch).await }
            })
            .collect();
        let mut accepted = Vec::with_capacity(taken.len());
        while let Some(sent) = sends.join_next().await {
            // One that panicked has logged it; its rows come free with their lease.
            let Ok(sent) = sent else { continue };
            accepted.extend(sent.accepted);
            refused.refused.extend(sent.refused);
            refused.code = refused.code.take().or(sent.code);
            refused.away |= sent.away;
        }
        outbox.mark_posted(&accepted).await?;
        Ok((accepted.len(), last))
    }

    /// Sends one batch, within [`WAKE_POST`]. Only what SQS names as accepted is.
    async fn send(&self, batch: Vec<Unposted>) -> Sent {
        let entries = batch.iter().enumerate().map(|(n, row)| {
            let entry = SendMessageBatchRequestEntry::builder().id(n.to_string()).message_body(row.message.to_json());
            entry.build().expect("it has an id and a body")
        });
        let request = self.client.send_message_batch().queue_url(&self.url).set_entries(Some(entries.collect()));
        let answer = match timeout(WAKE_POST, Box::pin(request.send())).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return Sent::away(batch, aws::code(&error)),
            Err(_) => return Sent::away(batch, "no answer in time".to_owned()),
        };
        let is_accepted = |n: usize| answer.successful().iter().any(|entry| entry.id() == n.to_string());
        let code = answer.failed().first().map(|entry| entry.code().to_owned());
        let (accepted, refused): (Vec<_>, Vec<_>) = batch.into_iter().enumerate().partition(|(n, _)| is_accepted(*n));
        let rows = |rows: Vec<(usize, Unposted)>| rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>();
        let code = code.or_else(|| (!refused.is_empty()).then(|| "not named in the answer".to_owned()));
        Sent { accepted: rows(accepted), refused: rows(refused), code, away: false }
    }
}

impl Sent {
    fn away(batch: Vec<Unposted>, code: String) -> Self {
        Self { accepted: Vec::new(), refused: batch, code: Some(code), away: true }
    }
}

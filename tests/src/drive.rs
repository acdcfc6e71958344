//! Drives the queue as the functions do, with short words.

use std::time::Duration;

use pushwake::contract::AppId;
use pushwake::limits::DEFAULT_LIFE;
use pushwake::queue::{
    Answer, Batch, BatchDevice, Claim, Claimed, Enqueued, Finish, Finished, Head, Kind, Queue, QueueError, Step, Want,
};
use time::OffsetDateTime;

/// The app of tests that need only one.
pub const APP: &str = "ios-prod";

/// A batch for devices of [`APP`]: `E(n)` of the cases.
pub fn batch(event: &str, devices: &[&str]) -> Batch {
    Batch {
        source: "tests".into(),
        event: event.into(),
        kind: Kind::Alert,
        payload: format!(r#"{{"kind":"alert","event":"{event}"}}"#),
        fingerprint: b"content".to_vec(),
        send_at: None,
        expires_at: None,
        life: DEFAULT_LIFE,
        devices: devices.iter().map(|device| self::device(APP, device)).collect(),
    }
}

/// One device with a token of its own.
pub fn device(app: &str, device: &str) -> BatchDevice {
    BatchDevice {
        app: app.into(),
        device: device.into(),
        target: r#"{"token":"00ff"}"#.into(),
        token_hash: format!("{app}/{device}").into_bytes(),
        registered_at: None,
    }
}

/// Queues `event` for one device.
pub async fn queue(queue: &Queue, event: &str, device: &str) {
    let enqueued = queue.enqueue(&batch(event, &[device])).await.expect("an enqueue");
    assert_eq!(enqueued.answers, [Answer::Queued]);
}

/// Dismisses `event` for one device.
pub async fn dismiss(queue: &Queue, event: &str, device: &str) -> Enqueued {
    let dismissal = Batch { kind: Kind::Dismiss, ..batch(event, &[device]) };
    queue.enqueue(&dismissal).await.expect("a dismissal")
}

/// Claims up to `n` of [`APP`].
pub async fn claim(queue: &Queue, n: usize) -> Claim {
    try_claim(queue, n).await.expect("a claim")
}

/// As [`claim`], with its error.
pub async fn try_claim(queue: &Queue, n: usize) -> Result<Claim, QueueError> {
    queue.claim(&Want { apps: &[AppId::from(APP)], n, turn: 1, probe: false }).await
}

/// Claims, and takes the leased heads; none when the claim was empty.
pub async fn heads(queue: &Queue, n: usize) -> Vec<Head> {
    match claim(queue, n).await {
        Claim::Claimed(Claimed { heads, .. }) => heads,
        Claim::Empty => Vec::new(),
        other => panic!("neither claimed nor empty: {other:?}"),
    }
}

/// Claims exactly one head.
pub async fn head(queue: &Queue) -> Head {
    let mut heads = heads(queue, 1).await;
    assert_eq!(heads.len(), 1, "one head is due");
    heads.remove(0)
}

/// The event of a live, expired or dismissed head.
pub fn event(head: &Head) -> &str {
    use pushwake::queue::Found;
    match &head.found {
        Found::Live(found) | Found::Expired(found) | Found::Dismissed(found) => found.event.as_str(),
        other => panic!("no notification: {other:?}"),
    }
}

/// A finish of one head.
pub fn finish(head: &Head, step: Step) -> Finish {
    Finish { lease: head.lease.clone(), step, rest: None }
}

/// Finishes one head.
pub async fn finished(queue: &Queue, head: &Head, step: Step) -> Finished {
    queue.finish(&[finish(head, step)]).await.expect("a finish")[0]
}

/// Completes one head; it must be ours.
pub async fn complete(queue: &Queue, head: &Head) {
    let finished = finished(queue, head, Step::Complete).await;
    assert!(matches!(finished, Finished::Done { .. }), "{finished:?}");
}

/// A retry with an answer.
pub fn retry(after: Duration) -> Step {
    Step::Retry { after, answered: true }
}

/// The database's clock, a while ago (or ahead).
pub fn from_now(seconds: i64) -> OffsetDateTime {
    OffsetDateTime::now_utc() + time::Duration::seconds(seconds)
}

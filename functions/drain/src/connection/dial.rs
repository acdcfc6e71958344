//! Dialling and checking: what stands between a send and a session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use tokio::time::{sleep, timeout};

use super::Fault;
use super::session::Session;
use super::stream::{self, DIAL_TIMEOUT, Failure, Way};

/// How long a PING may take before the session is replaced. A round trip to another continent is a tenth of it.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// Providers take rapid reconnects for an attack: after a failure the next attempt waits, doubling to the second.
const REDIAL_FIRST: Duration = Duration::from_millis(100);
/// See [`REDIAL_FIRST`].
const REDIAL_LONGEST: Duration = Duration::from_secs(2);

/// One attempt, shared by all who wait for it.
pub(super) type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, Fault>>>;

/// Failures in a row, and when the last one was.
#[derive(Debug, Default)]
pub(super) struct Failures(Option<(u32, Instant)>);

impl Failures {
    pub(super) fn add(&mut self, now: Instant) {
        let before = self.0.map_or(0, |(failures, _)| failures);
        self.0 = Some((before.saturating_add(1), now));
    }

    /// How long the next attempt has to wait.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let Some((failures, at)) = self.0 else { return Duration::ZERO };
        let pause = REDIAL_FIRST.saturating_mul(1 << (failures - 1).min(10)).min(REDIAL_LONGEST);
        pause.saturating_sub(now.duration_since(at))
    }
}

/// Dials after `wait`.
pub(super) fn dial(way: &Way, wait: Duration) -> Opening {
    let way = way.clone();
    async move {
        sleep(wait).await;
        connect(&way).await
    }
    .boxed()
    .shared()
}

/// Pings a silent session, and dials another if it is dead. Its own streams keep the old one to their end.
pub(super) fn check(session: Arc<Session>, way: &Way) -> Opening {
    let way = way.clone();
    async move {
        if matches!(timeout(PING_TIMEOUT, session.ping()).await, Ok(Ok(()))) {
            return Ok(session);
        }
        tracing::info!(host = %way.origin.host, "a silent provider connection is replaced");
        drop(session);
        connect(&way).await
    }
    .boxed()
    .shared()
}

async fn connect(way: &Way) -> Result<Arc<Session>, Fault> {
    match timeout(DIAL_TIMEOUT, shake_hands(way)).await {
        Ok(Ok(session)) => Ok(Arc::new(session)),
        // It can be reached, over HTTP/1.1.
        Ok(Err(Failure { fault: Fault::NoHttp2, .. })) if way.tls.alpn_protocols.len() > 1 => Err(Fault::NoHttp2),
        Ok(Err(failure)) => Err(way.failed(failure)),
        Err(_) => Err(way.failed(Failure::of("ConnectTimeout", ""))),
    }
}

async fn shake_hands(way: &Way) -> Result<Session, Failure> {
    let stream = stream::open(way).await?;
    if stream.get_ref().1.alpn_protocol() != Some(b"h2") {
        return Err(Failure { fault: Fault::NoHttp2, detail: "the server did not choose h2".to_owned() });
    }
    Session::start(stream).await.map_err(|error| Failure::of("ConnectFailed", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redials_wait_longer_up_to_a_bound_and_not_at_all_after_a_while() {
        let now = Instant::now();
        let mut failures = Failures::default();
        assert_eq!(failures.wait(now), Duration::ZERO);
        let mut waits = Vec::new();
        for _ in 0..40 {
            failures.add(now);
            waits.push(failures.wait(now));
        }
        assert_eq!(waits[..3], [100, 200, 400].map(Duration::from_millis));
        assert_eq!(waits[39], REDIAL_LONGEST);
        assert_eq!(failures.wait(now + REDIAL_LONGEST), Duration::ZERO);
    }
}

//! One send: may it start, and does it end in time?

use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::attempt::Attempt;
use crate::leases::Leases;
use crate::outcome::{Outcome, Sent};
use crate::provider::{Provider, Send};

/// A client gives up by itself at the send time-out, and then knows whether anything was written: a provider that can't
/// be reached must not look ambiguous, which is bounded. This much later is for a client that does not.
const LAST_WORD: Duration = Duration::from_millis(500);

/// Hands one notification to its provider. `None`: its lease is too old for an answer to come before it ends, so
/// nothing was sent. Dropping the provider's future resets its stream, which ends the flight.
pub async fn send(provider: Provider, attempt: Attempt, leases: Leases, give_up: Duration) -> Option<Sent> {
    let started = Instant::now();
    // The last look before the write. What lies behind it, connecting included, is inside the time-out.
    if !leases.may_send(&attempt.lease, started) {
        return None;
    }
    let send = Send { lease: &attempt.lease, notification: &attempt.notification, clock: attempt.clock };
    let answer = timeout(give_up + LAST_WORD, provider.send(&send)).await;
    Some(answer.unwrap_or_else(|_| without_answer("timeout", started.elapsed())))
}

/// A send that may have been accepted: the provider did not answer, or our own code panicked on the way.
pub fn without_answer(reason: &'static str, took: Duration) -> Sent {
    Sent { outcome: Outcome::Ambiguous { reason: reason.into() }, request_id: None, took }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use pushwake::limits::SEND_BEFORE;

    use super::*;
    use crate::attempt::tests::attempt;
    use crate::provider::Script;

    const SOON: Duration = Duration::from_millis(20);

    fn counted() -> (Provider, Arc<AtomicU32>) {
        let calls = Arc::new(AtomicU32::new(0));
        let seen = calls.clone();
        let script = Script::new(move |_, _| {
            seen.fetch_add(1, Ordering::SeqCst);
            std::future::ready(Sent { outcome: Outcome::Delivered, request_id: None, took: Duration::ZERO })
        });
        (Provider::Script(script), calls)
    }

    #[tokio::test]
    async fn g2_nothing_is_sent_under_a_lease_that_could_end_before_the_answer() {
        let ((provider, calls), leases) = (counted(), Leases::default());
        let claimed = Instant::now().checked_sub(SEND_BEFORE).expect("an hour after boot");
        leases.hold(attempt(1).lease, claimed);
        assert_eq!(send(provider.clone(), attempt(1), leases.clone(), SOON).await, None);
        leases.renewed(&attempt(1).lease, Instant::now());
        assert!(send(provider.clone(), attempt(1), leases.clone(), SOON).await.is_some(), "a renewed lease sends");
        leases.lost(&attempt(1).lease);
        assert_eq!(send(provider, attempt(1), leases, SOON).await, None);
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn c40_a_silent_provider_is_given_up_as_ambiguous() {
        let silent = Provider::Script(Script::new(|_, _| std::future::pending()));
        let leases = Leases::default();
        leases.hold(attempt(1).lease, Instant::now());
        let sent = send(silent, attempt(1), leases, SOON).await.expect("it was sent");
        assert_eq!(sent.outcome, Outcome::Ambiguous { reason: "timeout".into() });
        assert!(sent.took >= SOON);
    }
}

//! Ctrl-C and its kin, in two stages: the first lets a running stack stop in good order, the second leaves at once.

use std::sync::LazyLock;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// The person at the terminal doesn't want to wait any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

static INTERRUPTS: LazyLock<watch::Sender<u32>> = LazyLock::new(|| watch::Sender::new(0));
/// Holders of [`Orderly`]: with none, the first interrupt already leaves at once.
static ORDERLY: LazyLock<watch::Sender<u32>> = LazyLock::new(|| watch::Sender::new(0));

/// While this lives, the first interrupt is left to whoever waits for [`Orderly::interrupt`].
#[derive(Debug)]
pub struct Orderly(());

impl Orderly {
    /// From here on an interrupt is handled in good order.
    pub fn new() -> Self {
        ORDERLY.send_modify(|holders| *holders += 1);
        Self(())
    }

    /// Waits for the first interrupt.
    pub async fn interrupt(&self) {
        // The sender is a static: waiting can't fail.
        let _ = INTERRUPTS.subscribe().wait_for(|&interrupts| interrupts > 0).await;
    }
}

impl Default for Orderly {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Orderly {
    fn drop(&mut self) {
        ORDERLY.send_modify(|holders| *holders -= 1);
    }
}

/// Runs `act`, unless it is interrupted for good: by a second interrupt, or by the first while nobody is [`Orderly`].
pub async fn unless_interrupted<T>(act: impl Future<Output = T>) -> Result<T, Interrupted> {
    let Ok(mut signals) = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()]
        .into_iter()
        .map(signal)
        .collect::<Result<Vec<_>, _>>()
    else {
        return Ok(act.await);
    };
    let leave = async {
        loop {
            let next = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
            futures::future::select_all(next).await;
            INTERRUPTS.send_modify(|interrupts| *interrupts += 1);
            if *INTERRUPTS.borrow() > 1 || *ORDERLY.borrow() == 0 {
                return;
            }
        }
    };
    tokio::select! {
        done = act => Ok(done),
        () = leave => Err(Interrupted),
    }
}

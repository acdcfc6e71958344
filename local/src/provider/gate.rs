//! A barrier for answers.

use std::sync::Arc;

use tokio::sync::watch;

/// Holds answers back while it is closed. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    /// A closed gate.
    pub fn closed() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// An open gate.
    pub fn opened() -> Self {
        Self(Arc::new(watch::Sender::new(true)))
    }

    /// Lets everyone through.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Holds whoever comes from now on.
    pub fn close(&self) {
        self.0.send_replace(false);
    }

    /// Waits until it is open.
    pub async fn passed(&self) {
        let mut open = self.0.subscribe();
        // The sender is alive: it is ours.
        let _ = open.wait_for(|open| *open).await;
    }
}

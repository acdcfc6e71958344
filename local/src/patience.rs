//! How long a test waits for what should happen soon.

use std::time::Duration;

use tokio::time::timeout;

/// Longer than anything takes on a busy machine; a wait without an end would take every other test's time.
const PATIENCE: Duration = Duration::from_mins(2);

/// Waits for `awaited`; panics with `told` when it has not happened in time.
pub(crate) async fn soon<T>(awaited: impl Future<Output = T>, told: impl FnOnce() -> String) -> T {
    let happened = timeout(PATIENCE, awaited).await;
    happened.unwrap_or_else(|_| panic!("not within {PATIENCE:?}: {}", told()))
}

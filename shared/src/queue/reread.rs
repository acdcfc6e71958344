//! How to connect, read once more: a password may have been rotated, and a token grows old.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

/// Reads how to connect. `None` when it can't be read.
pub type Reread = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Option<PgConnectOptions>> + Send>> + Send + Sync>;

/// What a queue reads again, and when.
#[derive(Clone)]
pub(super) struct Rereading {
    reread: Reread,
    /// What was read is too old for a new connection after this.
    fresh: Option<Duration>,
    /// By the wall clock, which goes on while an instance is frozen.
    read: Arc<Mutex<SystemTime>>,
}

impl Rereading {
    /// What the pool begins with was read just now.
    pub(super) fn new(reread: Reread, fresh: Option<Duration>) -> Self {
        Self { reread, fresh, read: Arc::new(Mutex::new(SystemTime::now())) }
    }

    /// Reads again what has grown too old. Where that fails, the old one may still do.
    pub(super) async fn freshen(&self, pool: &PgPool) {
        let read = *self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back says nothing of its age.
        let age = read.elapsed().unwrap_or(Duration::MAX);
        if self.fresh.is_some_and(|fresh| age >= fresh) {
            self.read_again(pool).await;
        }
    }

    /// Reads again; whether there is something new to try.
    pub(super) async fn read_again(&self, pool: &PgPool) -> bool {
        let now = SystemTime::now();
        let Some(options) = (self.reread)().await else { return false };
        pool.set_connect_options(options);
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = now;
        true
    }
}

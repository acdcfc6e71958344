//! The database's clock, as read at a claim.

use std::time::Instant;

use time::OffsetDateTime;

/// The database's time, carried forward by a local duration. The function's own clock decides nothing.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseClock {
    read: Instant,
    database: OffsetDateTime,
}

impl DatabaseClock {
    /// A clock that showed `database` when it was read, at `read`.
    pub fn new(read: Instant, database: OffsetDateTime) -> Self {
        Self { read, database }
    }

    /// A clock that shows `database` now.
    pub fn showing(database: OffsetDateTime) -> Self {
        Self::new(Instant::now(), database)
    }

    /// The database's time now.
    pub fn now(&self) -> OffsetDateTime {
        self.database
            .checked_add(self.read.elapsed().try_into().unwrap_or(time::Duration::ZERO))
            .unwrap_or(self.database)
    }
}

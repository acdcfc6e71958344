//! A simulated FCM, with the token endpoint of its accounts.
//!
//! It issues access tokens for assertions that Google would take (`mint`), refuses what Google refuses (`check`),
//! answers what a script says, and keeps a ledger of every send, like every simulated [`provider`](crate::provider).
//!
//! ```no_run
//! # async fn example() -> Result<(), local::fcm::StartError> {
//! use local::fcm::{Options, Reply, Server};
//!
//! let server = Server::start(Options::default()).await?;
//! server.script("token-1", [Reply::status(503, "UNAVAILABLE").retry_after("17"), Reply::invalid_token()]);
//! server.wait_until(|tally| tally.delivered == 1).await;
//! assert_eq!(server.mints(), 1);
//! server.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod asked;
mod assertion;
mod check;
mod mint;
mod options;
mod protocol;
mod reply;
mod server;

pub use asked::Asked;
pub use options::Options;
pub use protocol::Fcm;
pub use server::{Credentials, Server};

pub use crate::provider::{Authority, End, Gate, Latency, Reply, StartError, Tally};

/// One request that arrived with its whole body.
pub type Recorded = crate::provider::Recorded<Asked>;

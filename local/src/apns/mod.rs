//! A simulated APNs.
//!
//! It refuses what Apple refuses (`check`, `token`), answers what a script says, and keeps a ledger of every request,
//! like every simulated [`provider`](crate::provider).
//!
//! ```no_run
//! # async fn example() -> Result<(), local::apns::StartError> {
//! use local::apns::{Options, Reply, Server};
//!
//! let server = Server::start(Options::default()).await?;
//! server.script("00ff", [Reply::status(503, "Shutdown").retry_after("7"), Reply::hang()]);
//! server.wait_until(|tally| tally.delivered == 1).await;
//! assert_eq!(server.tally().second_flights, 0);
//! server.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod asked;
mod check;
mod options;
mod protocol;
mod reply;
mod server;
mod token;

pub use asked::Asked;
pub use options::Options;
pub use protocol::Apns;
pub use server::{Credentials, Server};

pub use crate::provider::{Authority, End, Gate, Latency, Reply, StartError, Tally};

/// One request that arrived with its whole body.
pub type Recorded = crate::provider::Recorded<Asked>;

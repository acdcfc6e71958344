//! A simulated push service, and the browsers that subscribe to it.
//!
//! It refuses what the big services refuse (`check`, `token`), and it is the browser too: it decrypts every push with
//! the keys of its subscription (`browser`), which shows what a real service can't see. Answers are scripted and
//! requests kept in a ledger, like those of every simulated [`provider`](crate::provider).
//!
//! ```no_run
//! # async fn example() -> Result<(), local::webpush::StartError> {
//! use local::webpush::{Options, Reply, Server};
//!
//! let server = Server::start(Options::default()).await?;
//! let subscription = server.subscribe("ada");
//! server.script("ada", [Reply::status(429, "TooManyRequests").retry_after("7"), Reply::hang()]);
//! server.wait_until(|tally| tally.delivered == 1).await;
//! assert_eq!(server.requests_of("ada")[0].asked.urgency.as_deref(), Some("high"));
//! server.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod asked;
mod browser;
mod check;
mod options;
mod protocol;
mod server;
mod token;

pub use asked::Asked;
pub use options::Options;
pub use protocol::WebPush;
pub use server::{Credentials, Server};

pub use crate::provider::{Authority, End, Gate, Latency, Reply, StartError, Tally};

/// One request that arrived with its whole body, which is encrypted: see [`Asked::plaintext`].
pub type Recorded = crate::provider::Recorded<Asked>;

//! A simulated APNs: HTTP/2 over TLS on loopback, with its own CA.
//!
//! It refuses what Apple refuses (`check`, `token`), answers what a script says (`script`), and keeps a ledger of
//! every request: what was asked, what was answered, who was in flight at the same time, what came out of order.
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

mod authority;
mod check;
mod exchange;
mod gate;
mod latency;
mod ledger;
mod listen;
mod options;
mod recorded;
mod script;
mod server;
mod token;

pub use authority::Authority;
pub use gate::Gate;
pub use latency::Latency;
pub use ledger::Tally;
pub use options::{Options, StartError};
pub use recorded::{Asked, End, Recorded};
pub use script::Reply;
pub use server::{Credentials, Server};

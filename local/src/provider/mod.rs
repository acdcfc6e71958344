//! What every simulated provider is made of: HTTP/2 over TLS on loopback, scripted answers, and a ledger.
//!
//! A provider adds its [`Protocol`]: how it reads a request, what it refuses, how its answers look. The rest is here:
//! the CA (`authority`), connections (`listen`), one request (`exchange`), what is answered (`script`), and the ledger
//! of every request: what was asked, what was answered, who was in flight at the same time, what came out of order.

mod authority;
mod exchange;
mod gate;
mod handle;
mod latency;
mod ledger;
mod listen;
mod number;
mod protocol;
mod recorded;
mod script;
mod server;

pub use authority::Authority;
pub use gate::Gate;
pub(crate) use handle::{Handle, Received};
pub use latency::Latency;
pub use ledger::Tally;
pub(crate) use number::Number;
pub use protocol::{Asking, Protocol};
pub use recorded::{End, Recorded};
pub use script::Reply;
pub use server::{Server, Settings, StartError};

//! Web Push against a simulated push service that is the browser too.

mod answers;
mod delivery;
mod endpoints;
mod http1;
mod interop;
mod older;
mod rig;
mod vapid;
